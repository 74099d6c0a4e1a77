#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "async/endpoint.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/shards/shards.h"
#include "run/control/control_protocol.h"
#include "run/control/control_server.h"
#include "run/control/crawl_metrics.h"
#include "run/control/crawl_steering.h"
#include "run/job/job_store.h"
#include "settings/crawl_settings.h"

namespace gossamer::run {

// How other programs watch and control a running crawl: its control socket and its metrics.
class CrawlControl {
 public:
  // BORROWS: the settings.
  explicit CrawlControl(const CrawlSettings& settings);

  struct Session {
    std::move_only_function<CrawlProgress()> status;
    std::move_only_function<void()> stop;
    std::move_only_function<void()> abort;
    std::move_only_function<void(const std::string& text)> say;
    JobStore* job = nullptr;  // nullptr: none; BORROWS: for the life of the control
  };
  // Binds the socket and the address, if the settings name any. Fails with a detail for the user.
  // `shards` is nullptr if there is one loop. BORROWS: the engine and the shards.
  Result<void> open(crawler::Engine& engine, crawler::Shards* shards, Session session);
  // Serves both until the scope is cancelled. REQUIRES: open() succeeded. BORROWS: this.
  void serve(async::Scope& scope);
  // Executes a request as CrawlSteering::answer() does. REQUIRES: open() succeeded. BORROWS: this.
  async::Task<std::string> answer(ControlRequest request) {
    return steering_->answer(std::move(request));
  }
  // Executes what users ordered in earlier runs of the job. REQUIRES: open() succeeded.
  Result<void> repeat_orders();

 private:
  // Stores a rule of the user for later runs, or removes it. REQUIRES: there is a job.
  Result<void> store(const ControlRequest& request);

  const std::string& socket_;
  const std::optional<async::Endpoint>& metrics_address_;
  const std::string job_;   // the crawl directory; empty: none
  const std::string name_;  // for the metrics
  Session session_;
  std::optional<CrawlSteering> steering_;
  std::optional<ControlServer> server_;
  std::unique_ptr<MetricsServer> metrics_;  // nullptr: none
};

}  // namespace gossamer::run

// A crawl that several nodes share (docs/cluster.md), watched in Redis.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/json.h"
#include "base/result.h"
#include "base/time.h"
#include "run/control/control_protocol.h"
#include "run/shared/shared_status.h"
#include "serve/live.h"
#include "server/metrics.h"
#include "settings/cluster_settings.h"

namespace gossamer::serve {

// Says why a shared crawl is not finished, in one sentence. `rate` is in URLs per second; 0: not
// known.
std::string why_not_finished(const run::SharedCrawlStatus& status, double rate);

class ClusterCrawl final : public LiveCrawl {
 public:
  explicit ClusterCrawl(run::ClusterSettings cluster)
      : LiveCrawl(cluster.url), cluster_(std::move(cluster)) {}

  // Every two seconds, as `gossamer cluster status --watch`. BORROWS: this.
  async::Task<Result<void>> watch() override;

  std::string_view kind() const noexcept override { return "cluster"; }
  // That of the crawl, or "connecting", "missing" or "unreachable".
  std::string_view state() const noexcept override;
  // A crawl that has ended is still there, and Redis may come back.
  bool is_gone() const noexcept override { return false; }
  void add_to(server::Metrics& metrics) const override;

 private:
  class Watching;

  void note(run::SharedCrawlStatus status);
  void note_problem(const Error& error);
  // BORROWS: this.
  async::Task<Result<std::string>> carry_out(run::ControlRequest request) override;
  void add_state(base::JsonLine& line) const override;
  std::string reason() const override;

  const run::ClusterSettings cluster_;
  std::optional<run::SharedCrawlStatus> status_;  // the last one that was read
  std::string status_json_;
  std::string problem_;      // why the status is not current, a sentence; empty: it is
  bool is_missing_ = false;  // the problem is that there is no such crawl
  Instant first_seen_;
};

}  // namespace gossamer::serve

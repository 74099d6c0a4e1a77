#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/time.h"
#include "engine/engine.h"
#include "frontier/frontier.h"
#include "node/process.h"
#include "run/control/crawl_steering.h"
#include "run/crawl_listener.h"
#include "run/job/job_run.h"
#include "run/machine/machine.h"
#include "store/repeated_page.h"

namespace gossamer::run {

// What a process does for the node of its first loop, on which the crawl directory is.
class NodeProcess : public node::Process {
 public:
  // BORROWS: all.
  struct Parts {
    Machine& machine;
    crawler::Engine& engine;
    const crawler::Frontier& frontier;
    JobRun& job;
    CrawlListener& listener;
  };
  explicit NodeProcess(const Parts& parts)
      : parts_(parts), steering_(parts.engine, nullptr, {}) {}  // every loop executes every order

  async::Task<Result<void>> sync() override { return parts_.job.make_durable(); }
  void commit() override { parts_.job.commit(); }
  void mark_repeated(const std::vector<store::RepeatedPage>& pages) override {
    parts_.job.mark_repeated(pages);
  }
  void say(const std::string& text) override { parts_.listener.say(text); }
  WallTime wall_now() override { return parts_.machine.now(); }
  std::uint64_t draw() override { return parts_.machine.draw(); }
  std::string report() override;
  async::Task<void> execute(std::string order) override;

 protected:
  const Parts& parts() const { return parts_; }

 private:
  const Parts parts_;
  CrawlSteering steering_;
};

}  // namespace gossamer::run

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "serve/crawl_starter.h"

namespace gossamer::cli {

// Starts crawls as processes of this program. If this process dies, they stop as after Ctrl-C.
// REQUIRES: the thread that starts them lives as long as the process.
class StartedCrawls final : public serve::CrawlStarter {
 public:
  Result<void> start(const serve::NewCrawl& crawl) override;
  bool is_running(const std::string& folder) override;
  std::size_t running() override;
  void stop(const std::string& folder) override;
  // Stops those that still run, as Ctrl-C would, and waits for them. BORROWS: this.
  async::Task<void> stop_all();
  // Kills those that still run. A killed crawl can be resumed, too.
  void kill_all();

 private:
  // Forgets the processes that have ended.
  void reap();
  // Returns whether all have ended within this time. BORROWS: this.
  async::Task<bool> wait_for_all(Duration time);
  void signal_all(int signal) const;

  std::map<std::string, pid_t> processes_;  // by crawl directory
};

}  // namespace gossamer::cli

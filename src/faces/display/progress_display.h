#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "display/progress_text.h"
#include "record/record.h"
#include "terminal/live_lines.h"

namespace gossamer::display {

// The recent response times of hosts.
// BOUND: kHostsMax; beyond that, it forgets the hosts that answered least recently.
class HostTimes {
 public:
  static constexpr std::size_t kHostsMax = 2000;

  void add(const crawler::FetchRecord& record);
  std::vector<run::CrawlProgress::SlowHost> slowest(std::size_t count) const;

 private:
  struct Times {
    Duration took = Duration::zero();  // recent ones weigh most
    std::uint64_t heard = 0;           // when: the number of the record
  };
  void forget_old();

  std::unordered_map<std::string, Times> hosts_;
  std::uint64_t records_ = 0;
};

// Shows the progress of a crawl on stderr: live lines on a terminal, else a line now and then.
class ProgressDisplay {
 public:
  using Source = std::move_only_function<run::CrawlProgress()>;

  // Lines begin with `command`: "gossamer crawl: ...".
  ProgressDisplay(std::string_view command, Source source);
  // Removes its lines from the screen.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void note(const crawler::FetchRecord& record) {
    if (live_) times_.add(record);
  }
  // Runs until it is cancelled. BORROWS: this.
  async::Task<Result<void>> run();

  // Call these around other output to the terminal.
  void hide();
  void show();
  // Writes the log above the lines. REQUIRES: it goes to stderr.
  void take_log();

 private:
  class LogLines;

  const std::string_view command_;
  Source source_;
  std::unique_ptr<terminal::LiveLines> live_;  // nullptr: not a terminal
  std::unique_ptr<LogLines> log_lines_;        // writes the log above the lines
  HostTimes times_;
};

}  // namespace gossamer::display

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
#include "crawl/page/record.h"
#include "display/progress_text.h"
#include "terminal/live_lines.h"

namespace gossamer::display {

// How long hosts take to answer, of late.
// BOUND: kHostsMax; when there are more, those that have not been heard of for longest go.
class HostTimes {
 public:
  static constexpr std::size_t kHostsMax = 2000;

  void add(const crawler::FetchRecord& record);
  std::vector<run::CrawlProgress::SlowHost> slowest(std::size_t count) const;

 private:
  struct Times {
    Duration took = Duration::zero();  // the last ones weigh most
    std::uint64_t heard = 0;           // when: the number of the record
  };
  void forget_old();

  std::unordered_map<std::string, Times> hosts_;
  std::uint64_t records_ = 0;
};

// Shows on stderr how a crawl gets on: on a terminal some lines that are kept up to date, else a
// line now and then.
class ProgressDisplay {
 public:
  using Source = std::move_only_function<run::CrawlProgress()>;

  // `command` is what lines begin with: "gossamer crawl: ...".
  ProgressDisplay(std::string_view command, Source source);
  // The screen is as if nothing had been there.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void note(const crawler::FetchRecord& record) {
    if (live_) times_.add(record);
  }
  // Until it is cancelled. BORROWS: this.
  async::Task<Result<void>> run();

  // Around what other code writes to the terminal.
  void hide();
  void show();
  // Has the log written above the lines. REQUIRES: it goes to stderr.
  void take_log();

 private:
  class LogLines;

  const std::string_view command_;
  Source source_;
  std::unique_ptr<terminal::LiveLines> live_;  // nullptr: no terminal
  std::unique_ptr<LogLines> log_lines_;        // keeps the log and the lines apart
  HostTimes times_;
};

}  // namespace gossamer::display

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "run/control/control_protocol.h"
#include "terminal/screen.h"

namespace gossamer::display {

// The screen and the keys of `gossamer top`. It needs neither a terminal nor a crawl.
class TopScreen {
 public:
  // Takes the latest state of the crawl.
  void update(run::CrawlProgress status, run::FetchList fetches);
  // Shows a message in the last line until the next key.
  void note(std::string text) { note_ = std::move(text); }

  // Takes keys as terminals send them. Returns the requests for the crawl.
  std::vector<run::ControlRequest> press(std::string_view bytes);
  // True after the user pressed the key to quit.
  bool is_left() const { return is_left_; }

  // Returns no more lines than fit.
  std::vector<terminal::ScreenLine> lines(const terminal::Screen& screen) const;

 private:
  enum class Mode : std::uint8_t {
    browsing,
    typing,  // the user types a URL to add
    asking,  // the user confirms `question_`
  };

  std::optional<run::ControlRequest> press_one(std::string_view key);
  std::optional<run::ControlRequest> browse(std::string_view key);
  std::optional<run::ControlRequest> type(std::string_view key);
  void ask(run::ControlRequest question);
  run::ControlRequest with_concurrency(bool is_more);
  void move_selection(std::ptrdiff_t by);
  std::size_t selected() const;  // REQUIRES: there are fetches

  std::uint64_t rate() const;
  void add_status(std::vector<terminal::ScreenLine>& lines, const terminal::LineMaker& line) const;
  void add_fetches(std::vector<terminal::ScreenLine>& lines, const terminal::Screen& screen,
                   std::size_t count) const;
  std::vector<terminal::ScreenLine> stack_lines(const terminal::LineMaker& line,
                                                std::size_t count) const;
  terminal::ScreenLine last_line(terminal::LineMaker line) const;

  run::CrawlProgress status_;
  run::FetchList fetches_;
  std::deque<std::pair<Duration, std::uint64_t>> pages_;  // recent ones
  // The selected fetch stays selected when it moves in the list.
  std::string chosen_url_;
  std::size_t chosen_place_ = 0;
  Mode mode_ = Mode::browsing;
  std::string typed_;
  run::ControlRequest question_;
  std::string note_;
  bool is_left_ = false;
};

// Returns the same as text, for files and pipes.
std::string to_text(const run::CrawlProgress& status, const run::FetchList& fetches,
                    bool has_stacks);

}  // namespace gossamer::display

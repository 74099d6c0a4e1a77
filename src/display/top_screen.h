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
#include "run/control_protocol.h"
#include "terminal/screen.h"

namespace gossamer::display {

// What `gossamer top` shows, and what keys do: without a terminal, and without a crawl.
class TopScreen {
 public:
  // What the crawl says of itself by now.
  void update(run::CrawlStatus status, run::FetchList fetches);
  // Shown in the last line until the next key.
  void note(std::string text) { note_ = std::move(text); }

  // Takes keys as terminals send them. Gives what is wanted of the crawl.
  std::vector<run::ControlRequest> press(std::string_view bytes);
  // The user has seen enough.
  bool is_left() const { return is_left_; }

  // No more than fit.
  std::vector<terminal::ScreenLine> lines(const terminal::Screen& screen) const;

 private:
  enum class Mode : std::uint8_t {
    browsing,
    typing,  // a URL to be added
    asking,  // whether `question_` is meant
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

  run::CrawlStatus status_;
  run::FetchList fetches_;
  std::deque<std::pair<Duration, std::uint64_t>> pages_;  // of late
  // The fetch that is chosen stays so wherever it moves in the list.
  std::string chosen_url_;
  std::size_t chosen_place_ = 0;
  Mode mode_ = Mode::browsing;
  std::string typed_;
  run::ControlRequest question_;
  std::string note_;
  bool is_left_ = false;
};

// The same once, for files and pipes.
std::string to_text(const run::CrawlStatus& status, const run::FetchList& fetches, bool has_stacks);

}  // namespace gossamer::display

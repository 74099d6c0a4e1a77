#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "async/event.h"
#include "async/task.h"
#include "base/error.h"
#include "base/result.h"

namespace gossamer::terminal {

// Writes lines to a file, a pipe or a terminal. It collects lines for a moment, and one task writes
// them together. A slow reader delays the tasks that wait for room, never the loop.
//
//   scope.spawn(output.run());
//   output.add(line);
//   co_await output.room();
//   co_await output.finish();     // all of it has been written; run() ends
class LineOutput {
 public:
  // "" and "-" are standard output. Truncates an existing file. Fails with Errc::io_failed.
  static Result<std::unique_ptr<LineOutput>> open(const std::string& path);
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;
  ~LineOutput();

  // Adds a line, without its line feed. Drops it after a failure and after run() has ended.
  void add(std::string_view line);
  // Waits until little is collected. Fails with the error of writing, and with Errc::cancelled.
  // BORROWS: the output.
  async::Task<Result<void>> room();
  // Sets functions to call before and after every write, for other output on the same terminal.
  void around_writing(std::move_only_function<void()> before,
                      std::move_only_function<void()> after) {
    before_writing_ = std::move(before);
    after_writing_ = std::move(after);
  }
  bool is_terminal() const;
  // Sets a function that is called once, when writing fails.
  void on_failure(std::move_only_function<void()> callback) { on_failure_ = std::move(callback); }

  // Writes until finish() is called and everything is written, until it fails, or is cancelled.
  // BORROWS: the output.
  async::Task<Result<void>> run();
  // Ends the output. Waits until all lines are written or writing has failed.
  // BORROWS: the output.
  async::Task<Result<void>> finish();

  const std::optional<Error>& failure() const { return failure_; }

 private:
  LineOutput(int descriptor, bool is_own);

  // BORROWS: the output and the text.
  async::Task<Result<void>> write(std::string_view text);
  Result<std::size_t> write_some(std::string_view text) const;
  void fail_with(Error error);

  // Enough for a thousand lines; more would only use memory.
  static constexpr std::size_t kCollectedMax = 256 * 1024;

  const int descriptor_;
  const bool is_own_;   // closed at the end
  const bool is_file_;  // a file, so writing never waits for a reader
  bool is_finishing_ = false;
  std::string collected_;
  async::Event has_lines_;
  async::Event is_urgent_;  // much is collected, or no more will come
  async::Event has_room_;
  async::Event has_ended_;
  std::optional<Error> failure_;
  std::move_only_function<void()> on_failure_;
  std::move_only_function<void()> before_writing_;
  std::move_only_function<void()> after_writing_;
};

}  // namespace gossamer::terminal

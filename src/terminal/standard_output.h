#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace gossamer::terminal {

// Standard output, for every command. A write that fails is never lost: it is remembered, later
// ones do nothing, and main() tells the reason and gives exit code 3. A pipe that nobody reads any
// more counts as a failure too, so SIGPIPE must be ignored.
//
// Text is collected and written in blocks; on a terminal it is written immediately.
class StandardOutput {
 public:
  StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  // False if writing has failed, now or before. A command that has much left to do should stop.
  bool write(std::string_view text);
  // Writes what is collected. False if writing has failed, now or before.
  bool flush();
  // Errc::io_failed or Errc::no_space, with a detail to print.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool write_collected(std::string_view text);

  const bool is_terminal_;
  std::string collected_;
  std::optional<Error> failure_;
};

// The only one of the program.
StandardOutput& standard_output();

// Prints to standard output. False if writing has failed.
template <class... Values>
bool print_out(fmt::format_string<Values...> format, Values&&... values) {
  return standard_output().write(fmt::format(format, std::forward<Values>(values)...));
}

// Prints to standard error. A failure is ignored: there is no other place to tell it.
void write_err(std::string_view text);
template <class... Values>
void print_err(fmt::format_string<Values...> format, Values&&... values) {
  write_err(fmt::format(format, std::forward<Values>(values)...));
}

// Opens /dev/null in the place of standard streams that are closed, so that no file of the program
// gets their number and the text that is meant for them. Writing to such an output fails.
void open_missing_streams();

}  // namespace gossamer::terminal

#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace gossamer::terminal {

// Standard output of every command. It remembers the first failed write; later writes do nothing,
// and main() reports the reason and returns exit code 3. A closed pipe is a failure, too, so
// SIGPIPE must be ignored.
//
// Text is collected and written in blocks; on a terminal it is written immediately.
class StandardOutput {
 public:
  StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  // Returns false if this or an earlier write failed. A long command should stop then.
  bool write(std::string_view text);
  // Writes the collected text. Returns false if this or an earlier write failed.
  bool flush();
  // Errc::io_failed or Errc::no_space, with a detail to print.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool write_collected(std::string_view text);

  const bool is_terminal_;
  std::string collected_;
  std::optional<Error> failure_;
};

// The only instance in the program.
StandardOutput& standard_output();

// Prints to standard output. Returns false if writing has failed.
template <class... Values>
bool print_out(fmt::format_string<Values...> format, Values&&... values) {
  return standard_output().write(fmt::format(format, std::forward<Values>(values)...));
}

// Prints to standard error. Ignores failures, since there is nowhere to report them.
void write_err(std::string_view text);
template <class... Values>
void print_err(fmt::format_string<Values...> format, Values&&... values) {
  write_err(fmt::format(format, std::forward<Values>(values)...));
}

// Opens /dev/null for closed standard streams, so that no other file gets their descriptor and
// their text. Writing to such an output fails.
void open_missing_streams();

}  // namespace gossamer::terminal

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gossamer::cli {

// The exit codes that all commands share; wget's where it has one.
enum ExitCode : int {
  kOk = 0,
  kFailed = 1,
  kUsage = 2,
  kFileFailed = 3,
  kNetworkFailed = 4,
  kTlsFailed = 5,
  kAuthenticationFailed = 6,
  kProtocolFailed = 7,
  kServerError = 8,
};

// The code for a failure, and for the status of an answer.
int exit_code_for(const Error& error);
int exit_code_for_status(int status);
// What a failure says to the user: its detail, and the system's own words if it has any.
std::string message_of(const Error& error);
// "cannot read FILE: REASON", by errno. Call it right after the failure.
std::string cannot_read(std::string_view file);
std::string cannot_write(std::string_view file);
// Of two things that happened: the lower code wins, except that 0 and 1 lose.
int worse(int one, int other);

// One word behind `gossamer` and what it does. `run` gets the arguments behind that word and
// returns the exit code.
struct Command {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  int (*run)(const std::vector<std::string>& arguments);
  std::string_view actions = {};  // one of them comes first: "ls|cat"; empty: it has none
};

// All there are, in the order of the help.
std::span<const Command> commands();

// One line on stderr: "gossamer COMMAND: MESSAGE". Gives kUsage, so that `return usage_error(...)`.
int usage_error(std::string_view command, std::string_view message);
// The same for a crawl directory that cannot be opened. Gives kFileFailed if the system would not
// let us, else kUsage.
int job_error(std::string_view command, const Error& error);

}  // namespace gossamer::cli

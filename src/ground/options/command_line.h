#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "options/option.h"

namespace gossamer::options {

// The values of a command line.
struct GivenWords {
  // One list for each option of the table; empty if it was not given. Flags are "true" or "false".
  std::vector<std::vector<std::string>> values;
  bool asks_for_help = false;
};

// Sorts the words of a command line:
//
//   --name VALUE, --name=VALUE, -x VALUE, -xVALUE     an option with a value
//   --flag, --flag=false, -f, -fg                     flags; short ones may be combined
//   --                                                everything after it is a word
//
// A value may begin with a dash. Fails with Errc::invalid_argument and one line for the user: an
// unknown option, a missing value, too many or too few words. --help overrides all errors.
Result<GivenWords> sort_words(std::span<const Option> options,
                              const std::vector<std::string>& words,
                              std::span<const ForeignOption> foreign = {});

}  // namespace gossamer::options

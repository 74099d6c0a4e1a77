#pragma once

#include <string_view>

#include "options/table.h"
#include "settings/check_arguments.h"

namespace gossamer::cli {

using settings::CheckArguments;
using settings::CheckFormat;

// The same as lychee's, since CI users know them.
enum CheckExitCode : int {
  kAllWell = 0,
  kNotRun = 1,  // wrong usage, or the check itself failed
  kBrokenLinks = 2,
  kBadConfiguration = 3,
};

// The table of `gossamer check`. BORROWS: the arguments, until they are parsed.
void declare_check(options::Table& table, CheckArguments& arguments);

// Prints one line on stderr and returns kNotRun.
int check_failed(std::string_view message);

}  // namespace gossamer::cli

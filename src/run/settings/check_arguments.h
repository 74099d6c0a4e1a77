#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "options/table.h"
#include "settings/check_settings.h"
#include "settings/crawl_arguments.h"

namespace gossamer::settings {

enum class CheckFormat : std::uint8_t { text, json, junit, sarif, markdown };

// The options of `gossamer check`.
struct CheckArguments {
  CrawlArguments crawl;      // the rest of them; its settings become a part of the check's
  run::CheckSettings check;  // complete after complete_check()
  CheckFormat format = CheckFormat::text;
  std::string output_file;  // empty or "-": standard output
  std::uint64_t broken_max = 0;
  bool suggests_copies = false;
  std::vector<std::string> copies_in;  // archives and crawl directories that may have them
  bool fails_on_warnings = false;
  std::string baseline_file;  // the JSON of an earlier check; empty: none
  bool fails_on_new = false;  // only faults that the baseline does not have count
  std::string github_token;   // a secret, or env:NAME for the one in that variable
  bool has_progress = true;
};

// BORROWS: the arguments, until they are parsed.
void declare_check_settings(options::Table& table, CheckArguments& arguments);
// Combines the parsed options. Fails with Errc::invalid_argument.
Result<void> complete_check(const options::Table& table, CheckArguments& arguments);

}  // namespace gossamer::settings

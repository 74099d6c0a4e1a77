#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::options {

// One line of a configuration file: key = value. Whatever its type, the value is what one would
// type behind the option.
struct ConfigEntry {
  std::string host;  // of [host."NAME"], as it is written; empty: the command's own
  std::string key;
  // One, or those of an array; of a table, {a = "b"}, "a=b" each.
  std::vector<std::string> values;
  bool is_array = false;
  bool is_table = false;
  std::uint32_t line = 0;
};

// BOUND: no configuration is longer.
inline constexpr std::size_t kConfigBytesMax = 1024 * 1024;

// The table of a command in a configuration file, which is TOML, and those of hosts. `text` is what
// the file holds, `path` its name in messages. Fails with Errc::invalid_argument and one line that
// begins with "PATH:LINE: ": not TOML, a key outside the tables, a table that is neither of the
// command nor one of `others`.
Result<std::vector<ConfigEntry>> parse_config(std::string_view text, const std::string& path,
                                              std::string_view command,
                                              const std::vector<std::string>& others);

}  // namespace gossamer::options

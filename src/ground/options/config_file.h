#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::options {

// One line of a configuration file: key = value. The value is text, as typed after the option.
struct ConfigEntry {
  std::string host;  // the name in [host."NAME"], as written; empty: the table of the command
  std::string key;
  // One value, or those of an array; a table {a = "b"} gives "a=b".
  std::vector<std::string> values;
  bool is_array = false;
  bool is_table = false;
  std::uint32_t line = 0;
};

// "cannot read FILE: REASON", by errno. Call it right after the failure.
std::string cannot_read(std::string_view file);

// BOUND: the size of a configuration file.
inline constexpr std::size_t kConfigBytesMax = 1024 * 1024;

// Reads the table of a command and the host tables of a TOML configuration file. `text` is its
// contents, `path` its name in messages. Fails with Errc::invalid_argument and one line that begins
// with "PATH:LINE: ": invalid TOML, a key outside a table, or an unknown table. Tables in `others`
// are ignored.
Result<std::vector<ConfigEntry>> parse_config(std::string_view text, const std::string& path,
                                              std::string_view command,
                                              const std::vector<std::string>& others);

}  // namespace gossamer::options

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/configuration.h"
#include "options/option.h"

namespace gossamer::options {

// The origin of values on the command line.
inline constexpr std::string_view kCommandLine = "command line";

// Returns the text of --print-config: every key with its value and, as a comment, its origin. Lines
// with defaults are comments. The text is a valid configuration file; it omits secrets.
// REQUIRES: one setting for each option of the table; a setting without an origin is the default.
std::string effective_configuration(const CommandTable& table, std::span<const Setting> settings,
                                    const HostSettings& hosts = {});

// The values of an option as TOML, including secrets. Two commands that mean the same store the
// same. REQUIRES: there is a value.
std::string stored_text(const Option& option, const std::vector<std::string>& values);

// One setting as a line of a configuration file.
struct SaidLine {
  std::string table;     // "crawl", "host.\"example.com\""
  const Option* option;  // of the table
  std::string value;     // as stored_text()
};
// Returns all settings except defaults. REQUIRES: as above. BORROWS: the table.
std::vector<SaidLine> said_lines(const CommandTable& table, std::span<const Setting> settings,
                                 const HostSettings& hosts = {});

// Returns the file of `gossamer init`: every key with its help and its default, all in comments.
std::string commented_configuration(std::span<const CommandTable> tables);

}  // namespace gossamer::options

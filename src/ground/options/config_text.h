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

// One setting as a line of a configuration file.
struct SaidLine {
  std::string table;  // "crawl", "host.\"example.com\""
  std::string key;
  std::string value;  // as TOML, including secrets
  std::string group;  // of the option
};
// Returns all settings except defaults. REQUIRES: as above.
std::vector<SaidLine> said_lines(const CommandTable& table, std::span<const Setting> settings,
                                 const HostSettings& hosts = {});

// Returns the file of `gossamer init`: every key with its help and its default, all in comments.
std::string commented_configuration(std::span<const CommandTable> tables);

}  // namespace gossamer::options

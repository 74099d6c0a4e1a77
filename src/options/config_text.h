#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/configuration.h"
#include "options/option.h"

namespace gossamer::options {

// The origin of what the user typed just now.
inline constexpr std::string_view kCommandLine = "command line";

// --print-config: every key with its value and, as a comment, its origin. Defaults are comments as
// a whole. Saved as a file it says the same again, except for secrets, which are not shown.
// REQUIRES: one setting for each option of the table; without an origin it is the default.
std::string effective_configuration(const CommandTable& table, std::span<const Setting> settings,
                                    const HostSettings& hosts = {});

// A line of a configuration file that says what was said.
struct SaidLine {
  std::string table;  // "crawl", "host.\"example.com\""
  std::string key;
  std::string value;  // as TOML, secrets and all
  std::string group;  // of the option
};
// What was said, without the defaults. REQUIRES: as above.
std::vector<SaidLine> said_lines(const CommandTable& table, std::span<const Setting> settings,
                                 const HostSettings& hosts = {});

// gossamer init: every key with its help and its default, all of it comments.
std::string commented_configuration(std::span<const CommandTable> tables);

}  // namespace gossamer::options

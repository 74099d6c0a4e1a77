// The settings of a crawl or a check as other languages write them:
// crawl(url, depth=2, user_agent="x").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "options/option.h"
#include "settings/check_settings.h"
#include "settings/crawl_settings.h"

namespace gossamer::settings {

// An option of the command: its name without dashes, with underscores.
struct CrawlKeyword {
  std::string name;
  // Of a flag, or of an option with two values, one of which is `none`.
  std::optional<bool> is_on = {};
  // Otherwise. An option that may be repeated can have several.
  std::vector<std::string> values = {};
};

// Parses the values with the table of `gossamer crawl` and completes the settings. Reads no
// configuration unless `config` names a file. Fails with Errc::unsupported for an unknown name and
// for an option that only concerns what the command prints, and with Errc::invalid_argument for a
// wrong value; the detail is the message of the command.
Result<run::CrawlSettings> crawl_settings_of(std::vector<std::string> roots,
                                             const std::vector<CrawlKeyword>& keywords);

// The same for `gossamer check`, whose sources are URLs and files.
Result<run::CheckSettings> check_settings_of(std::vector<std::string> sources,
                                             const std::vector<CrawlKeyword>& keywords);

// The keywords as words of `gossamer crawl`, for another process. Fails as crawl_settings_of() does
// for names and for flags; values are not read.
Result<std::vector<std::string>> crawl_words(const std::vector<CrawlKeyword>& keywords);

// The keyword of a setting: "max_redirect".
std::string keyword_of(const options::Option& option);

// The names of all keywords, in the order of the help.
std::vector<std::string> crawl_keywords();
std::vector<std::string> check_keywords();

}  // namespace gossamer::settings

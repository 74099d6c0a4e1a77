#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "options/configuration.h"
#include "options/table.h"
#include "settings/crawl_settings.h"
#include "store/job_folder.h"

namespace gossamer::settings {

void declare_job(options::Table& table, run::JobSettings& job);

// Returns the settings of a crawl directory, and whether they are those of this user. Fails if they
// cannot be read.
Result<options::StoredSettings> stored_settings_of(const store::JobFolder& job);

// Returns the value of a setting of the crawl in a folder. Empty: it has its default or several
// values, or the settings cannot be read.
std::optional<std::string> stored_setting(const store::JobFolder& job, std::string_view key);

// Writes down the settings for the crawl directory and for the nodes of a shared crawl. The rules
// of `extract-file` are among them, because the file may change or disappear. REQUIRES: the table
// was parsed.
void store_settings(const options::Table& table, run::CrawlSettings& settings);

}  // namespace gossamer::settings

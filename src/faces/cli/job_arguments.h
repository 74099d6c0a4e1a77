#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "options/configuration.h"
#include "options/table.h"
#include "run/job_settings.h"
#include "store/job_folder.h"

namespace gossamer::cli {

struct CrawlArguments;

void declare_job(options::Table& table, run::JobSettings& job);

// Fails with Errc::invalid_argument if the options contradict each other.
Result<void> settle_job(CrawlArguments& arguments);

// Returns the settings of a crawl directory, and whether they are those of this user. Fails if they
// cannot be read.
Result<options::StoredSettings> stored_settings_of(const store::JobFolder& job);

// Returns the text of job.toml: the settings of a crawl directory, readable as a configuration.
// The rules of --extract-file are in `extract`, because the file may change or disappear.
std::string job_text(const std::vector<options::SaidLine>& said,
                     const std::vector<std::string>& roots,
                     const std::vector<std::string>& extract);

}  // namespace gossamer::cli

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "options/table.h"
#include "run/job_settings.h"

namespace gossamer::cli {

struct CrawlArguments;

void declare_job(options::Table& table, run::JobSettings& job);

// Fails with Errc::invalid_argument if the options make no sense together.
Result<void> settle_job(CrawlArguments& arguments);

// The file that says what a crawl directory is about, and can be read as a configuration.
std::string job_text(const std::vector<options::SaidLine>& said,
                     const std::vector<std::string>& roots);

}  // namespace gossamer::cli

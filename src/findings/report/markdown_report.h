#pragma once

#include <string>

#include "report/report.h"

namespace gossamer::report {

// Returns a summary and short tables for a comment on a pull request, in the Markdown of GitHub and
// GitLab. BOUND: 60,000 bytes, since comments have a limit.
std::string to_markdown(const Report& report);

}  // namespace gossamer::report

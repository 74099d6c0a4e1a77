#pragma once

#include <string>

#include "report/report.h"

namespace gossamer::report {

// For a comment on a pull request: a summary and short tables, in the Markdown that GitHub and
// GitLab read. BOUND: 60,000 bytes, since comments have a limit.
std::string to_markdown(const Report& report);

}  // namespace gossamer::report

#pragma once

#include <string>
#include <string_view>

#include "report/report.h"

namespace gossamer::report {

// For a comment on a pull request: a summary and short tables, in the Markdown that GitHub and
// GitLab read. BOUND: 60,000 bytes, since comments have a limit.
std::string to_markdown(const Report& report);

// Text of strangers as a code span, in which nothing means anything: neither links nor mentions nor
// the bar that ends a cell.
std::string code_span(std::string_view text);
// A link that shows its URL; a code span unless it is http or https.
std::string markdown_link(std::string_view url);

}  // namespace gossamer::report

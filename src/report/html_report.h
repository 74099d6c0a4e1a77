#pragma once

#include <string>

#include "report/report.h"

namespace gossamer::report {

// One page that needs nothing else: charts, tables that can be sorted, for screens of all widths,
// in light and dark. Titles and URLs are of strangers: they are escaped, and a
// Content-Security-Policy allows the page's own style and script and nothing else.
std::string to_html(const Report& report);

}  // namespace gossamer::report

#pragma once

#include <string>

#include "report/report.h"

namespace gossamer::report {

// Returns one self-contained page: charts, sortable tables, for screens of all widths, in light and
// dark. Titles and URLs come from other hosts: they are escaped, and a Content-Security-Policy
// allows only the page's own style and script.
std::string to_html(const Report& report);

}  // namespace gossamer::report

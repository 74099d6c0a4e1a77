#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace gossamer::report {

// One table of a report with its title.
struct HtmlList {
  std::string_view id;
  std::string_view name;    // short, for navigation
  std::uint64_t count = 0;  // 0 is not shown
  std::string html;
};

// Returns all tables of a report, in their order.
std::vector<HtmlList> html_lists(const Report& report);

// Returns the style of a status: "ok", "moved", "warn", "bad" or "none"; 0 is none.
std::string_view status_style(int status) noexcept;

}  // namespace gossamer::report

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
  std::string_view name;    // short, to find it by
  std::uint64_t count = 0;  // 0: not worth telling
  std::string html;
};

// All tables of a report, in their order.
std::vector<HtmlList> html_lists(const Report& report);

// "ok", "moved", "warn", "bad" or "none": how a status is coloured; 0 is none.
std::string_view status_style(int status) noexcept;

}  // namespace gossamer::report

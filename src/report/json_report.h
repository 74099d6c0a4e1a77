#pragma once

#include <string>

#include "report/report.h"

namespace gossamer::report {

// The number of the schema, which stands in the report; it grows when a member changes its meaning
// or goes. docs/report.md describes the schema.
inline constexpr int kReportSchema = 1;

// One JSON object with all that the report knows, on several lines: a row of a list on each.
std::string to_json(const Report& report);

}  // namespace gossamer::report

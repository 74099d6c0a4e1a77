#pragma once

#include <string>

#include "report/report.h"

namespace gossamer::report {

// The version of the schema, which the report contains. It increases when a member changes its
// meaning or is removed. docs/report.md describes the schema.
inline constexpr int kReportSchema = 1;

// Returns one JSON object with the whole report, on several lines: one row of a list per line.
std::string to_json(const Report& report);

}  // namespace gossamer::report

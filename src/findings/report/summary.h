#pragma once

#include <string>

#include "base/time.h"
#include "record/statistics.h"

namespace gossamer::report {

// What a crawl counted, a section each.
std::string count_lines(const crawler::Statistics& statistics);

// What a crawl did, for people: several lines.
std::string summary(const crawler::Statistics& statistics, crawler::EndReason end, Duration took);

}  // namespace gossamer::report

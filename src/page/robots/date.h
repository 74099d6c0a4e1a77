// Parses the dates of sitemaps, feeds and headers.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace gossamer::robots {

// Parses a date in one of the forms
//   2014-06-03T10:30:45.82+01:00   W3C; may end after the year, month, day or minute; no zone: UTC
//   Thu, 05 Jan 2017 13:34:51 GMT  RFC 822, also with two digits for the year; the zone is needed
//   25-Jun-2010 15:00:00 PST       RFC 850
// Returns nothing for other forms, and if there is no such day.
std::optional<WallTime> parse_date(std::string_view text);

}  // namespace gossamer::robots

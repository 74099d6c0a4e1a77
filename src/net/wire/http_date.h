// The dates of HTTP headers and of cookies.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace gossamer::wire {

// Parses RFC 9110 section 5.6.7, in all three forms:
//   Sun, 06 Nov 1994 08:49:37 GMT     the one in use
//   Sunday, 06-Nov-94 08:49:37 GMT    RFC 850; a year that seems more than 50 years ahead of `now`
//                                     is one of the century before
//   Sun Nov  6 08:49:37 1994          asctime
// The weekday is not checked against the date. Returns nothing for other forms, and if there is no
// such day.
std::optional<WallTime> parse_http_date(std::string_view text, WallTime now);

// "Sun, 06 Nov 1994 08:49:37 GMT". REQUIRES: the year is within 0000 to 9999.
std::string write_http_date(WallTime time);

// RFC 6265 section 5.1.1: numbers and names in any order.
std::optional<WallTime> parse_cookie_date(std::string_view text);

}  // namespace gossamer::wire

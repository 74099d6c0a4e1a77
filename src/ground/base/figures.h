// Formats numbers, amounts and times for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"

namespace gossamer::base {

// "12,345".
std::string grouped(std::uint64_t number);
// "1 page", "2 pages".
std::string counted(std::uint64_t number, std::string_view what);
// "14.2 MB".
std::string byte_count(std::uint64_t bytes);
// "850 us", "12.3 ms", "1.25 s", "2 min 5 s": three significant digits.
std::string short_time(Duration duration);

}  // namespace gossamer::base

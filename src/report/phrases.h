// The words in which reports speak to people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "crawl/skip_reason.h"
#include "crawl/statistics.h"

namespace gossamer::report {

// "robots.txt forbids it".
std::string_view describe(crawl::SkipReason reason) noexcept;
// "finished", "interrupted". Stable: it goes into files.
std::string_view name(crawl::EndReason end) noexcept;
// "nothing is left to be asked for".
std::string_view describe(crawl::EndReason end) noexcept;
// "Not Found"; empty for a status that nobody knows.
std::string_view status_phrase(int status) noexcept;

// "12,345".
std::string grouped(std::uint64_t number);
// "1 page", "2 pages".
std::string counted(std::uint64_t number, std::string_view what);
// "14.2 MB".
std::string byte_count(std::uint64_t bytes);
inline double milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}
// "850 us", "12.3 ms", "1.25 s", "2 min 5 s": three digits are enough.
std::string short_time(Duration duration);

}  // namespace gossamer::report

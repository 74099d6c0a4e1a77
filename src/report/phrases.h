// The words in which reports speak to people.
#pragma once

#include <string_view>

#include "base/figures.h"
#include "base/time.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/statistics.h"
#include "wire/status_phrase.h"

namespace gossamer::report {

// "finished", "interrupted". Stable: it goes into files.
std::string_view name(crawler::EndReason end) noexcept;
// "nothing is left to be asked for".
std::string_view describe(crawler::EndReason end) noexcept;

using base::byte_count;
using base::counted;
using base::grouped;
using base::short_time;
using wire::status_phrase;

inline double milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace gossamer::report

// The phrases of reports.
#pragma once

#include <string>
#include <string_view>

#include "base/figures.h"
#include "base/time.h"
#include "record/skip_reason.h"
#include "record/statistics.h"
#include "wire/status_phrase.h"

namespace gossamer::report {

// Returns "finished", "interrupted". The names are stable, because files contain them.
std::string_view name(crawler::EndReason end) noexcept;
// Returns the end of that name; EndReason::interrupted if there is none.
crawler::EndReason end_named(std::string_view name) noexcept;
// Returns "every URL in scope was fetched".
std::string_view describe(crawler::EndReason end) noexcept;
// The same for a crawl that may have skipped URLs by a guess, with the options that fetch them.
std::string describe(crawler::EndReason end, const crawler::Statistics& statistics);
// How many URLs guesses have skipped.
std::uint64_t guessed_skips(const crawler::Statistics& statistics) noexcept;
// Returns what a browser did, or which pages need one; empty: nothing.
std::string scripts_text(const crawler::Statistics& statistics);

using base::byte_count;
using base::counted;
using base::grouped;
using base::short_time;
using wire::status_phrase;

inline double milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace gossamer::report

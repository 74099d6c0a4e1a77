// Detects calendars: pages that exist for every date.
#pragma once

#include <cstdint>

#include "scope/trap_options.h"
#include "scope/url_parts.h"
#include "url/url.h"

namespace gossamer::crawler {

enum class DateVerdict : std::uint8_t {
  none,      // the URL has no calendar date
  near,      // it has one
  far_away,  // it has one, too far from today
};

// Sets PartRole::date for the parts of dates: at the end of the path (2024/05/06, 2024/may,
// 2024-05-06) and in the query (date=2024-05-06, year=2024&month=5, year=2024).
//
// Other numbers look like dates, too: /forum/1756/12 is page 12 of a thread. Such a form is a date
// if its year is near, where counting it does little harm. If its year is far away, it is a date
// only if the URL has a word such as calendar or month.
DateVerdict mark_dates(UrlParts& parts, const TrapOptions& options,
                       std::int32_t this_year) noexcept;

// True if the URL has a date, or a word such as calendar or month.
bool is_of_calendar(const url::Url& url, const TrapOptions& options,
                    std::int32_t this_year) noexcept;

}  // namespace gossamer::crawler

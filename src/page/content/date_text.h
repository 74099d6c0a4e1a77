// Dates as people write them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::content {

// A date in a text.
struct DateInText {
  std::string day;        // "2024-05-06"
  std::size_t begin = 0;  // of the text
};

// Which number comes first in "05/06/2024". With dots it is always the day.
enum class NumberOrder : bool { month_first, day_first };

// Finds "May 6, 2024", "6. Mai 2024", "2024 May 6", "2024-05-06", "6.5.2024", "05/06/2024". Names
// of months are known in English, German, French, Spanish, Portuguese, Italian and Dutch. A date
// needs its year. Time is linear in the text.
std::vector<DateInText> dates_in(std::string_view text,
                                 NumberOrder order = NumberOrder::month_first);

// Returns a date of metadata: as it is if it begins like ISO 8601, else the day that it names.
// Empty: it names none.
std::string iso_date(std::string_view text, NumberOrder order = NumberOrder::month_first);

}  // namespace gossamer::content

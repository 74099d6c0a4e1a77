// Parses dates in URLs: one segment of a path, or one value of a query.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gossamer::crawler {

struct DateText {
  std::int32_t year = 0;
  // False for forms that other numbers have, too: 1756-12, 20240506.
  bool certain = false;
};

// 2024-05-06, 2024_5_6, 06.05.2024, 5%2F6%2F2024, 2024-05, 05-2024, 20240506, 2024-W18; a time of
// day or a file extension may follow. Empty for all other text, such as 2024-05-06-a-title.
std::optional<DateText> read_date(std::string_view text) noexcept;

// Only digits, at most nine.
std::optional<std::int32_t> read_number(std::string_view text) noexcept;

// Four digits, 1000 to 9999.
bool is_year(std::string_view text) noexcept;
// 1 to 12, 01 to 12, or the beginning of an English name of at least three letters; an extension
// may follow.
bool is_month(std::string_view text) noexcept;
bool is_month_name(std::string_view text) noexcept;
// 1 to 31, 01 to 31; an extension may follow.
bool is_day(std::string_view text) noexcept;

}  // namespace gossamer::crawler

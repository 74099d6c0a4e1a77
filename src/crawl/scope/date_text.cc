#include "scope/date_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.h"

namespace gossamer::crawler {
namespace {

constexpr bool in_range(std::int32_t value, std::int32_t least, std::int32_t most) noexcept {
  return value >= least && value <= most;
}

std::string_view without_extension(std::string_view text) noexcept {
  return text.substr(0, text.find('.'));
}

// A number and its number of digits.
struct Digits {
  std::int32_t value = 0;
  std::size_t count = 0;
};

// Takes the digits at the beginning, nine at most.
Digits take_digits(std::string_view& text) noexcept {
  Digits digits;
  while (digits.count < 9 && digits.count < text.size() && base::is_digit(text[digits.count])) {
    digits.value = digits.value * 10 + (text[digits.count] - '0');
    ++digits.count;
  }
  text.remove_prefix(digits.count);
  return digits;
}

// Takes '-', '_', '.', '/' or an escaped '/', if a digit follows: which, or 0.
char take_separator(std::string_view& text) noexcept {
  std::size_t size = 0;
  char separator = 0;
  if (base::equals_ignoring_case(text.substr(0, 3), "%2f")) {
    size = 3;
    separator = '/';
  } else if (!text.empty() && std::string_view("-_./").contains(text[0])) {
    size = 1;
    separator = text[0];
  }
  if (separator == 0 || text.size() <= size || !base::is_digit(text[size])) return 0;
  text.remove_prefix(size);
  return separator;
}

// What may follow a date: nothing, a time of day, an extension.
bool is_end_of_date(std::string_view rest) noexcept {
  return rest.empty() || std::string_view("T t.+%").contains(rest[0]);
}

std::optional<DateText> read_compact(std::int32_t number) noexcept {
  if (!in_range(number / 100 % 100, 1, 12) || !in_range(number % 100, 1, 31)) return std::nullopt;
  return DateText{.year = number / 10'000, .certain = false};
}

// 2024-W18
std::optional<DateText> read_week(std::int32_t year, std::string_view rest) noexcept {
  if (rest.size() < 4 || rest[0] != '-' || base::to_lower(rest[1]) != 'w') return std::nullopt;
  rest.remove_prefix(2);
  const Digits week = take_digits(rest);
  if (week.count != 2 || !in_range(week.value, 1, 53) || !is_end_of_date(rest)) {
    return std::nullopt;
  }
  return DateText{.year = year, .certain = true};
}

std::optional<DateText> read_two(const Digits& first, const Digits& second) noexcept {
  if (first.count == 4 && second.count == 2 && in_range(second.value, 1, 12)) {
    return DateText{.year = first.value, .certain = false};
  }
  if (first.count == 2 && second.count == 4 && in_range(first.value, 1, 12)) {
    return DateText{.year = second.value, .certain = false};
  }
  return std::nullopt;
}

// Year, month, day; or day and month in either order, and the year.
std::optional<DateText> read_three(const Digits& first, const Digits& second,
                                   const Digits& third) noexcept {
  const bool year_first = first.count == 4 && third.count <= 2;
  const bool year_last = third.count == 4 && first.count <= 2;
  if ((!year_first && !year_last) || second.count > 2) return std::nullopt;
  const Digits& other = year_first ? third : first;
  const bool month_and_day = in_range(second.value, 1, 12) && in_range(other.value, 1, 31);
  const bool day_and_month = in_range(second.value, 1, 31) && in_range(other.value, 1, 12);
  if (!month_and_day && (year_first || !day_and_month)) return std::nullopt;
  return DateText{.year = year_first ? first.value : third.value, .certain = true};
}

}  // namespace

std::optional<DateText> read_date(std::string_view text) noexcept {
  const Digits first = take_digits(text);
  if (first.count == 8) return is_end_of_date(text) ? read_compact(first.value) : std::nullopt;
  if (first.count == 0 || first.count > 4) return std::nullopt;
  const char separator = take_separator(text);
  if (separator == 0) return first.count == 4 ? read_week(first.value, text) : std::nullopt;
  const Digits second = take_digits(text);
  std::string_view rest = text;
  if (take_separator(rest) != separator) {
    return is_end_of_date(text) && separator != '.' ? read_two(first, second) : std::nullopt;
  }
  const Digits third = take_digits(rest);
  return is_end_of_date(rest) ? read_three(first, second, third) : std::nullopt;
}

std::optional<std::int32_t> read_number(std::string_view text) noexcept {
  const Digits digits = take_digits(text);
  if (digits.count == 0 || !text.empty()) return std::nullopt;
  return digits.value;
}

bool is_year(std::string_view text) noexcept {
  return text.size() == 4 && text[0] != '0' && std::ranges::all_of(text, base::is_digit);
}

bool is_month(std::string_view text) noexcept {
  text = without_extension(text);
  if (text.size() > 2) return is_month_name(text);
  const auto number = read_number(text);
  return number && in_range(*number, 1, 12);
}

bool is_month_name(std::string_view text) noexcept {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"january", "february", "march", "april", "may", "june", "july", "august", "september",
       "october", "november", "december"});
  text = without_extension(text);
  return text.size() >= 3 && std::ranges::any_of(kNames, [&](std::string_view name) {
           return base::equals_ignoring_case(text, name.substr(0, text.size()));
         });
}

bool is_day(std::string_view text) noexcept {
  text = without_extension(text);
  const auto number = text.size() <= 2 ? read_number(text) : std::nullopt;
  return number && in_range(*number, 1, 31);
}

}  // namespace gossamer::crawler

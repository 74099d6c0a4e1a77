#include "wire/http_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/civil_time.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

using base::CivilTime;
using base::DateCursor;

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

int year_of(WallTime time) {
  namespace chrono = std::chrono;
  const auto days = chrono::floor<chrono::days>(chrono::seconds(time.seconds));
  return static_cast<int>(chrono::year_month_day(chrono::sys_days(days)).year());
}

// 1*2DIGIT ":" 1*2DIGIT ":" 1*2DIGIT
bool take_time(DateCursor& cursor, CivilTime& civil) {
  return cursor.take_number(1, 2, civil.hour) && cursor.take(':') &&
         cursor.take_number(1, 2, civil.minute) && cursor.take(':') &&
         cursor.take_number(1, 2, civil.second);
}

// " 06 Nov 1994 08:49:37 GMT" and " 06-Nov-94 08:49:37 GMT"
bool take_after_comma(DateCursor& cursor, CivilTime& civil, WallTime now) {
  if (!cursor.take(' ') || !cursor.take_number(1, 2, civil.day)) return false;
  const char separator = cursor.is_at('-') ? '-' : ' ';
  if (!cursor.take(separator) || !cursor.take_month(civil.month) || !cursor.take(separator)) {
    return false;
  }
  const std::size_t before = cursor.rest().size();
  if (!cursor.take_number(2, 4, civil.year)) return false;
  if (before - cursor.rest().size() == 2) {
    const int this_year = year_of(now);
    civil.year += this_year / 100 * 100;
    if (civil.year > this_year + 50) civil.year -= 100;
  }
  return cursor.take(' ') && take_time(cursor, civil) && cursor.take(" GMT");
}

// " Nov  6 08:49:37 1994"
bool take_asctime(DateCursor& cursor, CivilTime& civil) {
  if (!cursor.take(' ') || !cursor.take_month(civil.month) || !cursor.take(' ')) return false;
  cursor.take(' ');
  return cursor.take_number(1, 2, civil.day) && cursor.take(' ') && take_time(cursor, civil) &&
         cursor.take(' ') && cursor.take_number(4, 4, civil.year);
}

bool is_delimiter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x09 || (byte >= 0x20 && byte <= 0x2F) || (byte >= 0x3B && byte <= 0x40) ||
         (byte >= 0x5B && byte <= 0x60) || (byte >= 0x7B && byte <= 0x7E);
}

// Returns a number of `digits_min` to `digits_max` digits that no digit follows; -1 if the text
// does not begin with one.
int leading_number(std::string_view text, std::size_t digits_min, std::size_t digits_max) {
  std::size_t digits = 0;
  int value = 0;
  while (digits < text.size() && digits <= digits_max && is_digit(text[digits])) {
    value = value * 10 + (text[digits++] - '0');
  }
  return digits >= digits_min && digits <= digits_max ? value : -1;
}

// hms-time, not followed by a digit.
bool read_cookie_time(std::string_view token, CivilTime& civil) {
  DateCursor cursor(token);
  CivilTime time = civil;
  if (!take_time(cursor, time) || (!cursor.at_end() && is_digit(cursor.rest().front()))) {
    return false;
  }
  civil = time;
  return true;
}

void read_cookie_token(std::string_view token, CivilTime& civil) {
  if (civil.hour < 0 && read_cookie_time(token, civil)) return;
  if (civil.day == 0) {
    if (const int day = leading_number(token, 1, 2); day >= 0) {
      civil.day = day == 0 ? 32 : day;  // found, and wrong
      return;
    }
  }
  if (civil.month == 0 && token.size() >= 3) {
    civil.month = base::month_of(token);
    if (civil.month != 0) return;
  }
  if (civil.year < 0) civil.year = leading_number(token, 2, 4);
}

}  // namespace

std::optional<WallTime> parse_http_date(std::string_view text, WallTime now) {
  DateCursor cursor(trim_blanks(text));
  CivilTime civil;
  if (cursor.take_word().empty()) return std::nullopt;
  const bool is_read =
      cursor.take(',') ? take_after_comma(cursor, civil, now) : take_asctime(cursor, civil);
  if (!is_read || !cursor.at_end() || civil.hour > 23) return std::nullopt;
  return base::to_wall_time(civil);
}

std::string write_http_date(WallTime time) {
  namespace chrono = std::chrono;
  const auto days = chrono::floor<chrono::days>(chrono::seconds(time.seconds));
  const chrono::year_month_day date{chrono::sys_days(days)};
  const auto second = time.seconds - std::int64_t{days.count()} * 86'400;
  const int month = static_cast<int>(static_cast<unsigned>(date.month()));
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[chrono::weekday(chrono::sys_days(days)).c_encoding()],
                     static_cast<unsigned>(date.day()), base::month_name(month),
                     static_cast<int>(date.year()), second / 3600, second / 60 % 60, second % 60);
}

std::optional<WallTime> parse_cookie_date(std::string_view text) {
  // These values mean: not found yet.
  CivilTime civil = {.year = -1, .month = 0, .day = 0, .hour = -1};
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && !is_delimiter(text[end])) ++end;
    if (end > 0) read_cookie_token(text.substr(0, end), civil);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (civil.year >= 70 && civil.year <= 99) civil.year += 1900;
  if (civil.year >= 0 && civil.year <= 69) civil.year += 2000;
  if (civil.year < 1601 || civil.hour > 23 || civil.second > 59) return std::nullopt;
  return base::to_wall_time(civil);
}

}  // namespace gossamer::wire

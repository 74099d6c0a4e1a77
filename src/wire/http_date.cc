#include "wire/http_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "wire/text.h"

namespace gossamer::wire {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

struct CivilTime {
  int year = -1;
  int month = 0;  // 1 to 12
  int day = 0;
  int hour = -1;
  int minute = 0;
  int second = 0;
};

std::optional<WallTime> to_wall_time(const CivilTime& civil) {
  namespace chrono = std::chrono;
  const auto date = chrono::year(civil.year) / chrono::month(static_cast<unsigned>(civil.month)) /
                    chrono::day(static_cast<unsigned>(civil.day));
  if (!date.ok() || civil.hour < 0 || civil.hour > 23 || civil.minute > 59 || civil.second > 60) {
    return std::nullopt;
  }
  const auto days = chrono::sys_days(date).time_since_epoch().count();
  return WallTime{.seconds = std::int64_t{days} * 86'400 + civil.hour * 3600 + civil.minute * 60 +
                             civil.second};
}

int year_of(WallTime time) {
  namespace chrono = std::chrono;
  const auto days = chrono::floor<chrono::days>(chrono::seconds(time.seconds));
  return static_cast<int>(chrono::year_month_day(chrono::sys_days(days)).year());
}

// 1 to 12 by the first three letters, 0 for no month.
int month_of(std::string_view text) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (equals_ignoring_case(text.substr(0, 3), kMonths[i])) return static_cast<int>(i) + 1;
  }
  return 0;
}

// Takes what it is asked for from the front of a text; once something is missing it has failed.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int number(std::size_t digits_min, std::size_t digits_max) {
    int value = 0;
    std::size_t digits = 0;
    while (digits < digits_max && digits < rest_.size() && is_digit(rest_[digits])) {
      value = value * 10 + (rest_[digits++] - '0');
    }
    if (digits < digits_min) failed_ = true;
    rest_.remove_prefix(digits);
    return value;
  }
  void literal(std::string_view text) {
    if (!rest_.starts_with(text)) {
      failed_ = true;
    } else {
      rest_.remove_prefix(text.size());
    }
  }
  std::string_view letters() {
    std::size_t size = 0;
    while (size < rest_.size() && to_lower(rest_[size]) >= 'a' && to_lower(rest_[size]) <= 'z')
      ++size;
    const std::string_view word = rest_.substr(0, size);
    if (word.empty()) failed_ = true;
    rest_.remove_prefix(size);
    return word;
  }
  void time(CivilTime& civil) {
    civil.hour = number(1, 2);
    literal(":");
    civil.minute = number(1, 2);
    literal(":");
    civil.second = number(1, 2);
  }
  bool skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool failed() const { return failed_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

bool is_delimiter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x09 || (byte >= 0x20 && byte <= 0x2F) || (byte >= 0x3B && byte <= 0x40) ||
         (byte >= 0x5B && byte <= 0x60) || (byte >= 0x7B && byte <= 0x7E);
}

// A number of so many digits that no digit follows; -1 if the text does not begin with one.
int leading_number(std::string_view text, std::size_t digits_min, std::size_t digits_max) {
  std::size_t digits = 0;
  int value = 0;
  while (digits < text.size() && digits <= digits_max && is_digit(text[digits])) {
    value = value * 10 + (text[digits++] - '0');
  }
  return digits >= digits_min && digits <= digits_max ? value : -1;
}

// hms-time: 1*2DIGIT ":" 1*2DIGIT ":" 1*2DIGIT, and then no digit.
bool read_cookie_time(std::string_view token, CivilTime& civil) {
  Reader reader(token);
  CivilTime time = civil;
  reader.time(time);
  if (reader.failed() || (!reader.rest().empty() && is_digit(reader.rest().front()))) return false;
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
    civil.month = month_of(token);
    if (civil.month != 0) return;
  }
  if (civil.year < 0) civil.year = leading_number(token, 2, 4);
}

}  // namespace

std::optional<WallTime> parse_http_date(std::string_view text, WallTime now) {
  text = trim_blanks(text);
  Reader reader(text);
  CivilTime civil;
  reader.letters();
  if (reader.skip(',')) {
    reader.literal(" ");
    civil.day = reader.number(1, 2);
    const bool is_rfc850 = reader.skip('-');
    if (!is_rfc850) reader.literal(" ");
    civil.month = month_of(reader.letters());
    reader.literal(is_rfc850 ? "-" : " ");
    const std::size_t before = reader.rest().size();
    civil.year = reader.number(2, 4);
    if (before - reader.rest().size() == 2) {
      const int this_year = year_of(now);
      civil.year += this_year / 100 * 100;
      if (civil.year > this_year + 50) civil.year -= 100;
    }
    reader.literal(" ");
    reader.time(civil);
    reader.literal(" GMT");
  } else {
    reader.literal(" ");
    civil.month = month_of(reader.letters());
    reader.literal(" ");
    reader.skip(' ');
    civil.day = reader.number(1, 2);
    reader.literal(" ");
    reader.time(civil);
    reader.literal(" ");
    civil.year = reader.number(4, 4);
  }
  if (reader.failed() || !reader.rest().empty()) return std::nullopt;
  return to_wall_time(civil);
}

std::string write_http_date(WallTime time) {
  namespace chrono = std::chrono;
  const auto days = chrono::floor<chrono::days>(chrono::seconds(time.seconds));
  const chrono::year_month_day date{chrono::sys_days(days)};
  const auto second = time.seconds - std::int64_t{days.count()} * 86'400;
  std::string month(kMonths[static_cast<unsigned>(date.month()) - 1]);
  month[0] = static_cast<char>(month[0] - 0x20);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[chrono::weekday(chrono::sys_days(days)).c_encoding()],
                     static_cast<unsigned>(date.day()), month, static_cast<int>(date.year()),
                     second / 3600, second / 60 % 60, second % 60);
}

std::optional<WallTime> parse_cookie_date(std::string_view text) {
  CivilTime civil;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && !is_delimiter(text[end])) ++end;
    if (end > 0) read_cookie_token(text.substr(0, end), civil);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (civil.year >= 70 && civil.year <= 99) civil.year += 1900;
  if (civil.year >= 0 && civil.year <= 69) civil.year += 2000;
  if (civil.year < 1601 || civil.second > 59) return std::nullopt;
  return to_wall_time(civil);
}

}  // namespace gossamer::wire

#include "robots/date.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"

namespace gossamer::robots {
namespace {

constexpr std::string_view kDateBlanks = " \t\r\n\f";

using base::to_lower;
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }

// Reads a text from the left. Each take returns whether, or what, it took.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  bool is_at(char c) const { return text_.starts_with(c); }

  bool take(char c) {
    if (!is_at(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void skip_any_of(std::string_view set) {
    text_.remove_prefix(std::min(text_.find_first_not_of(set), text_.size()));
  }
  // A number of `least` to `most` digits.
  std::optional<int> take_number(std::size_t least, std::size_t most) {
    const std::string_view digits = take_while(is_digit, most);
    if (digits.size() < least) return std::nullopt;
    int value = 0;
    for (const char digit : digits) value = value * 10 + (digit - '0');
    return value;
  }
  std::string_view take_word() { return take_while(is_letter, text_.size()); }
  std::string_view take_digits() { return take_while(is_digit, text_.size()); }

 private:
  template <class Is>
  std::string_view take_while(Is is, std::size_t most) {
    std::size_t size = 0;
    while (size < most && size < text_.size() && is(text_[size])) ++size;
    const std::string_view taken = text_.substr(0, size);
    text_.remove_prefix(size);
    return taken;
  }

  std::string_view text_;
};

struct Moment {
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  std::uint32_t nanoseconds = 0;
  int zone_minutes = 0;  // east of UTC
};

std::optional<WallTime> to_wall_time(const Moment& moment) {
  const std::chrono::year_month_day date{std::chrono::year(moment.year),
                                         std::chrono::month(static_cast<unsigned>(moment.month)),
                                         std::chrono::day(static_cast<unsigned>(moment.day))};
  const bool is_time = moment.hour <= 24 && moment.minute < 60 && moment.second <= 60;
  if (!date.ok() || !is_time) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t minutes =
      std::int64_t{days} * 1440 + moment.hour * 60 + moment.minute - moment.zone_minutes;
  return WallTime{minutes * 60 + moment.second, moment.nanoseconds};
}

// "+01:00", "+0100" or "+01".
bool take_offset(Cursor& cursor, Moment& moment) {
  const bool is_west = cursor.is_at('-');
  if (!cursor.take('+') && !cursor.take('-')) return false;
  const auto hours = cursor.take_number(2, 2);
  cursor.take(':');
  const auto minutes = cursor.at_end() ? 0 : cursor.take_number(2, 2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return false;
  moment.zone_minutes = (*hours * 60 + *minutes) * (is_west ? -1 : 1);
  return true;
}

struct Zone {
  std::string_view name;
  int hours;
};
constexpr std::array<Zone, 12> kZones = {{{"gmt", 0},
                                          {"utc", 0},
                                          {"ut", 0},
                                          {"z", 0},
                                          {"est", -5},
                                          {"edt", -4},
                                          {"cst", -6},
                                          {"cdt", -5},
                                          {"mst", -7},
                                          {"mdt", -6},
                                          {"pst", -8},
                                          {"pdt", -7}}};

bool take_zone(Cursor& cursor, Moment& moment) {
  if (cursor.is_at('+') || cursor.is_at('-')) return take_offset(cursor, moment);
  const std::string_view name = cursor.take_word();
  for (const Zone& zone : kZones) {
    if (!std::ranges::equal(name, zone.name, {}, to_lower)) continue;
    moment.zone_minutes = zone.hours * 60;
    return true;
  }
  return false;
}

// "10:30", "10:30:45", "10:30:45.82"
bool take_time(Cursor& cursor, Moment& moment) {
  const auto hour = cursor.take_number(1, 2);
  if (!hour || !cursor.take(':')) return false;
  const auto minute = cursor.take_number(2, 2);
  if (!minute) return false;
  moment.hour = *hour;
  moment.minute = *minute;
  if (!cursor.take(':')) return true;
  const auto second = cursor.take_number(2, 2);
  if (!second) return false;
  moment.second = *second;
  if (!cursor.take('.') && !cursor.take(',')) return true;
  std::uint32_t unit = 100'000'000;
  for (const char digit : cursor.take_digits()) {
    moment.nanoseconds += static_cast<std::uint32_t>(digit - '0') * unit;
    unit /= 10;
  }
  return true;
}

// https://www.w3.org/TR/NOTE-datetime
std::optional<WallTime> parse_w3c(Cursor cursor) {
  Moment moment;
  const auto year = cursor.take_number(4, 4);
  if (!year) return std::nullopt;
  moment.year = *year;
  for (int* part : {&moment.month, &moment.day}) {
    if (cursor.at_end()) return to_wall_time(moment);
    const auto number = cursor.take('-') ? cursor.take_number(2, 2) : std::nullopt;
    if (!number) return std::nullopt;
    *part = *number;
  }
  if (cursor.at_end()) return to_wall_time(moment);
  if (!cursor.take('T') && !cursor.take('t') && !cursor.take(' ')) return std::nullopt;
  if (!take_time(cursor, moment)) return std::nullopt;
  cursor.skip_any_of(" ");
  const bool has_zone = cursor.at_end() || take_zone(cursor, moment);
  return has_zone && cursor.at_end() ? to_wall_time(moment) : std::nullopt;
}

int month_of(std::string_view name) {
  constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (name.size() < 3) return 0;
  const std::array<char, 3> start = {to_lower(name[0]), to_lower(name[1]), to_lower(name[2])};
  const std::size_t at = kMonths.find(std::string_view(start.data(), start.size()));
  return at == std::string_view::npos || at % 3 != 0 ? 0 : static_cast<int>(at / 3) + 1;
}

// RFC 822 5.1, with the four digits of RFC 1123 and the hyphens of RFC 850.
std::optional<WallTime> parse_rfc822(Cursor cursor) {
  if (!cursor.take_word().empty()) cursor.skip_any_of(", ");
  Moment moment;
  const auto day = cursor.take_number(1, 2);
  cursor.skip_any_of(" -");
  moment.month = month_of(cursor.take_word());
  cursor.skip_any_of(" -");
  const auto year = cursor.take_number(2, 4);
  if (!day || !year || moment.month == 0) return std::nullopt;
  moment.day = *day;
  moment.year = *year < 70 ? *year + 2000 : *year < 100 ? *year + 1900 : *year;
  cursor.skip_any_of(" ");
  if (!take_time(cursor, moment)) return std::nullopt;
  cursor.skip_any_of(" ");
  return take_zone(cursor, moment) && cursor.at_end() ? to_wall_time(moment) : std::nullopt;
}

}  // namespace

std::optional<WallTime> parse_date(std::string_view text) {
  const std::size_t start = text.find_first_not_of(kDateBlanks);
  if (start == std::string_view::npos) return std::nullopt;
  text = text.substr(start, text.find_last_not_of(kDateBlanks) + 1 - start);
  const auto date = parse_w3c(Cursor(text));
  return date ? date : parse_rfc822(Cursor(text));
}

}  // namespace gossamer::robots

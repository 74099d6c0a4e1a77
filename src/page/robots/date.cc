#include "robots/date.h"

#include <array>
#include <cstdint>

#include "base/ascii.h"
#include "base/civil_time.h"

namespace gossamer::robots {
namespace {

constexpr std::string_view kDateBlanks = " \t\r\n\f";

using base::DateCursor;

struct Moment {
  base::CivilTime civil;
  std::uint32_t nanoseconds = 0;
  int zone_minutes = 0;  // east of UTC
};

std::optional<WallTime> to_wall_time(const Moment& moment) {
  auto time = base::to_wall_time(moment.civil);
  if (!time) return std::nullopt;
  time->seconds -= std::int64_t{moment.zone_minutes} * 60;
  time->nanoseconds = moment.nanoseconds;
  return time;
}

// "+01:00", "+0100" or "+01".
bool take_offset(DateCursor& cursor, Moment& moment) {
  const bool is_west = cursor.is_at('-');
  if (!cursor.take('+') && !cursor.take('-')) return false;
  int hours = 0;
  int minutes = 0;
  if (!cursor.take_number(2, 2, hours)) return false;
  cursor.take(':');
  if (!cursor.at_end() && !cursor.take_number(2, 2, minutes)) return false;
  if (hours > 14 || minutes > 59) return false;
  moment.zone_minutes = (hours * 60 + minutes) * (is_west ? -1 : 1);
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

bool take_zone(DateCursor& cursor, Moment& moment) {
  if (cursor.is_at('+') || cursor.is_at('-')) return take_offset(cursor, moment);
  const std::string_view name = cursor.take_word();
  for (const Zone& zone : kZones) {
    if (!base::equals_ignoring_case(name, zone.name)) continue;
    moment.zone_minutes = zone.hours * 60;
    return true;
  }
  return false;
}

// "10:30", "10:30:45", "10:30:45.82"
bool take_time(DateCursor& cursor, Moment& moment) {
  base::CivilTime& civil = moment.civil;
  if (!cursor.take_number(1, 2, civil.hour) || !cursor.take(':')) return false;
  if (!cursor.take_number(2, 2, civil.minute)) return false;
  if (!cursor.take(':')) return true;
  if (!cursor.take_number(2, 2, civil.second)) return false;
  if (!cursor.take('.') && !cursor.take(',')) return true;
  std::uint32_t unit = 100'000'000;
  for (const char digit : cursor.take_digits()) {
    moment.nanoseconds += static_cast<std::uint32_t>(digit - '0') * unit;
    unit /= 10;
  }
  return true;
}

// https://www.w3.org/TR/NOTE-datetime
std::optional<WallTime> parse_w3c(DateCursor cursor) {
  Moment moment;
  if (!cursor.take_number(4, 4, moment.civil.year)) return std::nullopt;
  for (int* part : {&moment.civil.month, &moment.civil.day}) {
    if (cursor.at_end()) return to_wall_time(moment);
    if (!cursor.take('-') || !cursor.take_number(2, 2, *part)) return std::nullopt;
  }
  if (cursor.at_end()) return to_wall_time(moment);
  if (!cursor.take('T') && !cursor.take('t') && !cursor.take(' ')) return std::nullopt;
  if (!take_time(cursor, moment)) return std::nullopt;
  cursor.skip_any_of(" ");
  const bool has_zone = cursor.at_end() || take_zone(cursor, moment);
  return has_zone && cursor.at_end() ? to_wall_time(moment) : std::nullopt;
}

// RFC 822 5.1, with the four digits of RFC 1123 and the hyphens of RFC 850.
std::optional<WallTime> parse_rfc822(DateCursor cursor) {
  if (!cursor.take_word().empty()) cursor.skip_any_of(", ");
  Moment moment;
  base::CivilTime& civil = moment.civil;
  if (!cursor.take_number(1, 2, civil.day)) return std::nullopt;
  cursor.skip_any_of(" -");
  if (!cursor.take_month(civil.month)) return std::nullopt;
  cursor.skip_any_of(" -");
  if (!cursor.take_number(2, 4, civil.year)) return std::nullopt;
  if (civil.year < 100) civil.year += civil.year < 70 ? 2000 : 1900;
  cursor.skip_any_of(" ");
  if (!take_time(cursor, moment)) return std::nullopt;
  cursor.skip_any_of(" ");
  return take_zone(cursor, moment) && cursor.at_end() ? to_wall_time(moment) : std::nullopt;
}

}  // namespace

std::optional<WallTime> parse_date(std::string_view text) {
  text = base::trimmed(text, kDateBlanks);
  const auto date = parse_w3c(DateCursor(text));
  return date ? date : parse_rfc822(DateCursor(text));
}

}  // namespace gossamer::robots

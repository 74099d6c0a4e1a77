#include "scope/calendar.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "base/ascii.h"
#include "scope/date_text.h"

namespace gossamer::crawler {
namespace {

constexpr bool is_alphanumeric(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> names) noexcept {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return base::equals_ignoring_case(text, name); });
}

bool is_calendar_word(std::string_view word) noexcept {
  constexpr auto kBeginnings =
      std::to_array<std::string_view>({"calend", "kalend", "agenda", "schedul", "month"});
  return is_one_of(word, {"cal", "date", "dates", "day", "days", "termine"}) ||
         std::ranges::any_of(kBeginnings, [&](std::string_view beginning) {
           return base::equals_ignoring_case(word.substr(0, beginning.size()), beginning);
         });
}

// Words are sequences of letters and digits: my_calendar.php has three.
bool has_calendar_word(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto* const end = std::ranges::find_if_not(text, is_alphanumeric);
    const auto size = static_cast<std::size_t>(end - text.begin());
    if (is_calendar_word(text.substr(0, size))) return true;
    text.remove_prefix(std::min(text.size(), size + 1));
  }
  return false;
}

bool has_calendar_word(const UrlParts& parts) noexcept {
  return std::ranges::any_of(parts.all(), [](const UrlPart& part) {
    return has_calendar_word(part.name) || (part.name.empty() && has_calendar_word(part.value));
  });
}

// Collects the dates of one URL.
class DateMarker {
 public:
  DateMarker(UrlParts& parts, const TrapOptions& options, std::int32_t this_year) noexcept
      : parts_(parts), options_(options), this_year_(this_year) {}

  void mark_path() noexcept;
  void mark_query() noexcept;
  DateVerdict verdict() const noexcept { return verdict_; }

 private:
  using Dated = std::initializer_list<UrlPart*>;

  void mark(DateText date, Dated parts) noexcept;
  void mark_lone_year(std::int32_t year, UrlPart& part) noexcept;
  void mark_named(UrlPart* year, UrlPart* month, UrlPart* day) noexcept;
  void settle(DateVerdict verdict, Dated parts) noexcept;

  UrlParts& parts_;
  const TrapOptions& options_;
  std::int32_t this_year_;
  DateVerdict verdict_ = DateVerdict::none;
};

void DateMarker::mark_path() noexcept {
  const std::span<UrlPart> path = parts_.path();
  const std::size_t size = path.size();
  if (size == 0) return;
  UrlPart& last = path[size - 1];
  if (const auto date = read_date(last.value)) return mark(*date, {&last});
  if (size >= 2 && is_year(path[size - 2].value) && is_month(last.value)) {
    const DateText date{.year = *read_number(path[size - 2].value),
                        .certain = is_month_name(last.value)};
    return mark(date, {&path[size - 2], &last});
  }
  if (size >= 3 && is_year(path[size - 3].value) && is_month(path[size - 2].value) &&
      is_day(last.value)) {
    const DateText date{.year = *read_number(path[size - 3].value), .certain = true};
    mark(date, {&path[size - 3], &path[size - 2], &last});
  }
}

void DateMarker::mark_query() noexcept {
  UrlPart* year = nullptr;
  UrlPart* month = nullptr;
  UrlPart* day = nullptr;
  bool has_x = false;
  for (UrlPart& part : parts_.query()) {
    if (is_one_of(part.name, {"year", "yr", "yyyy", "y", "jahr", "annee", "ano", "anno"})) {
      year = &part;
    } else if (is_one_of(part.name, {"month", "mon", "mm", "m", "monat", "mois", "mes"})) {
      month = &part;
    } else if (is_one_of(part.name, {"day", "dd", "d", "tag", "jour", "dia"})) {
      day = &part;
    }
    has_x |= is_one_of(part.name, {"x"});
    if (const auto date = read_date(part.value)) mark(*date, {&part});
  }
  // x and y are map coordinates.
  if (year != nullptr && !has_x) mark_named(year, month, day);
}

void DateMarker::mark_named(UrlPart* year, UrlPart* month, UrlPart* day) noexcept {
  const auto number = read_number(year->value);
  if (!number || year->value.size() < 4) return;
  if (month == nullptr || !is_month(month->value)) {
    if (year->name.size() > 1) mark_lone_year(*number, *year);
  } else {
    const DateText date{.year = *number, .certain = true};
    if (day != nullptr && is_day(day->value)) {
      mark(date, {year, month, day});
    } else {
      mark(date, {year, month});
    }
  }
}

void DateMarker::mark(DateText date, Dated parts) noexcept {
  const auto ahead_max = static_cast<std::int64_t>(options_.years_ahead_max);
  const bool near = date.year >= static_cast<std::int64_t>(options_.year_min) &&
                    date.year <= this_year_ + ahead_max;
  if (near) {
    settle(DateVerdict::near, parts);
  } else if (date.certain || has_calendar_word(parts_)) {
    settle(DateVerdict::far_away, parts);
  }
}

void DateMarker::mark_lone_year(std::int32_t year, UrlPart& part) noexcept {
  const auto ahead_max = static_cast<std::int64_t>(options_.lone_years_ahead_max);
  settle(year <= this_year_ + ahead_max ? DateVerdict::near : DateVerdict::far_away, {&part});
}

void DateMarker::settle(DateVerdict verdict, Dated parts) noexcept {
  for (UrlPart* const part : parts) part->role = PartRole::date;
  verdict_ = std::max(verdict_, verdict);
}

}  // namespace

DateVerdict mark_dates(UrlParts& parts, const TrapOptions& options,
                       std::int32_t this_year) noexcept {
  DateMarker marker(parts, options, this_year);
  marker.mark_path();
  marker.mark_query();
  return marker.verdict();
}

bool is_of_calendar(const url::Url& url, const TrapOptions& options,
                    std::int32_t this_year) noexcept {
  UrlParts parts(url);
  return has_calendar_word(parts) || mark_dates(parts, options, this_year) != DateVerdict::none;
}

}  // namespace gossamer::crawler

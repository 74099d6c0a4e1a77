// Dates in texts: the code that the readers of the many formats share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/ascii.h"
#include "base/time.h"

namespace gossamer::base {

// A day and a time of day, UTC.
struct CivilTime {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// Returns nothing if there is no such day or time. A leap second counts as the second after it, and
// hour 24 as hour 0 of the next day.
std::optional<WallTime> to_wall_time(const CivilTime& civil) noexcept;

// Returns 1 to 12 by the first three letters of an English name, in any case; 0 if it is not a
// month.
int month_of(std::string_view name) noexcept;
// Returns "Jan" to "Dec". REQUIRES: `month` is 1 to 12.
std::string_view month_name(int month) noexcept;

// Reads a text from the left. Each function returns whether it took something, or what it took.
class DateCursor {
 public:
  explicit DateCursor(std::string_view text) noexcept : rest_(text) {}

  bool at_end() const noexcept { return rest_.empty(); }
  bool is_at(char c) const noexcept { return rest_.starts_with(c); }
  std::string_view rest() const noexcept { return rest_; }

  bool take(char c) noexcept {
    if (!is_at(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view text) noexcept {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void skip_any_of(std::string_view set) noexcept {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(set), rest_.size()));
  }
  // Takes a number of `least` to `most` digits. Digits are consumed even if there are too few.
  bool take_number(std::size_t least, std::size_t most, int& into) noexcept {
    std::size_t size = 0;
    int value = 0;
    while (size < most && size < rest_.size() && is_digit(rest_[size])) {
      value = value * 10 + (rest_[size++] - '0');
    }
    rest_.remove_prefix(size);
    if (size < least) return false;
    into = value;
    return true;
  }
  std::string_view take_digits() noexcept { return take_while(is_digit); }
  // Takes ASCII letters.
  std::string_view take_word() noexcept { return take_while(is_letter); }
  // Takes a word that month_of() knows.
  bool take_month(int& into) noexcept {
    into = month_of(take_word());
    return into != 0;
  }

 private:
  template <class Is>
  std::string_view take_while(Is is) noexcept {
    std::size_t size = 0;
    while (size < rest_.size() && is(rest_[size])) ++size;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace gossamer::base

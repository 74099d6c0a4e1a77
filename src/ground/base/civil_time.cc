#include "base/civil_time.h"

#include <array>
#include <cstdint>

#include "base/ascii.h"

namespace gossamer::base {
namespace {

constexpr std::array<std::string_view, 12> kMonthNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Packs the first three letters of a name into one word, in lower case. REQUIRES: name.size() >= 3.
constexpr std::uint32_t three_letters(std::string_view name) {
  const auto letter = [name](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(to_lower(name[i])));
  };
  return letter(0) << 16 | letter(1) << 8 | letter(2);
}

consteval std::array<std::uint32_t, 12> make_month_words() {
  std::array<std::uint32_t, 12> words = {};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = three_letters(kMonthNames[i]);
  return words;
}

constexpr std::array<std::uint32_t, 12> kMonthWords = make_month_words();

}  // namespace

std::optional<WallTime> to_wall_time(const CivilTime& civil) noexcept {
  namespace chrono = std::chrono;
  const chrono::year_month_day date(chrono::year(civil.year),
                                    chrono::month(static_cast<unsigned>(civil.month)),
                                    chrono::day(static_cast<unsigned>(civil.day)));
  const bool is_time = civil.hour >= 0 && civil.hour <= 24 && civil.minute >= 0 &&
                       civil.minute <= 59 && civil.second >= 0 && civil.second <= 60;
  if (!date.ok() || !is_time) return std::nullopt;
  const auto days = chrono::sys_days(date).time_since_epoch().count();
  return WallTime{.seconds = std::int64_t{days} * 86'400 + civil.hour * 3600 + civil.minute * 60 +
                             civil.second};
}

int month_of(std::string_view name) noexcept {
  if (name.size() < 3) return 0;
  const std::uint32_t word = three_letters(name);
  for (std::size_t i = 0; i < kMonthWords.size(); ++i) {
    if (kMonthWords[i] == word) return static_cast<int>(i) + 1;
  }
  return 0;
}

std::string_view month_name(int month) noexcept {
  return kMonthNames[static_cast<std::size_t>(month) - 1];
}

}  // namespace gossamer::base

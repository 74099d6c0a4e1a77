#include "content/date_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/civil_time.h"
#include "base/number.h"
#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

// By month, each with a space at both ends.
constexpr auto kMonthNames = std::to_array<std::string_view>({
    " jan january januar janvier enero janeiro gennaio januari ",
    " feb february februar f\u00E9vrier febrero fevereiro febbraio februari ",
    " mar march m\u00E4rz mars marzo mar\u00E7o maart mrz ",
    " apr april avril abril aprile ",
    " may mai mayo maio maggio mei ",
    " jun june juni juin junio junho giugno ",
    " jul july juli juillet julio julho luglio ",
    " aug august ao\u00FBt agosto augustus ",
    " sep sept september septembre septiembre setembro settembre ",
    " oct october oktober octobre octubre outubro ottobre okt ",
    " nov november novembre noviembre novembro ",
    " dec december dezember d\u00E9cembre diciembre dezembro dicembre dez ",
});
constexpr std::size_t kMonthBytesMax = 12;
// A date of publication is of our time.
constexpr int kYearMin = 1990;
constexpr int kYearMax = 2040;

// A number or a word. Between them is only punctuation and white space.
struct DateToken {
  std::size_t begin = 0;
  std::size_t end = 0;
  int number = -1;  // of at most four digits; -1: not a number
  int digits = 0;
  int month = 0;  // 0: not the name of a month
};

int month_named(std::string_view word) {
  if (word.size() > kMonthBytesMax) return 0;
  const std::string name = " " + html::lower_case(word) + " ";
  const auto found = std::ranges::find_if(
      kMonthNames, [&](std::string_view names) { return names.contains(name); });
  return found == kMonthNames.end() ? 0 : static_cast<int>(found - kMonthNames.begin()) + 1;
}

// Returns the bytes of a sign beyond ASCII, such as a wide space or a dash; 0: it is a letter.
std::size_t wide_sign_bytes(std::string_view text) {
  if (text.starts_with('\xC2')) return 2;
  return text.starts_with("\xE2\x80") || text.starts_with("\xE2\x81") ? 3 : 0;
}

bool begins_letter(std::string_view text) {
  const char c = text.front();
  if (static_cast<signed char>(c) >= 0) return html::is_ascii_letter(c);
  return wide_sign_bytes(text) == 0;
}

// "6th of May": these words say nothing.
bool is_filler(std::string_view word) {
  constexpr auto kFillers = std::to_array<std::string_view>({"st", "nd", "rd", "th", "of", "de"});
  return std::ranges::any_of(
      kFillers, [&](std::string_view one) { return html::equals_ignoring_case(word, one); });
}

std::size_t token_end(std::string_view text, std::size_t at, bool is_number) {
  while (at < text.size() &&
         (is_number ? html::is_ascii_digit(text[at]) : begins_letter(text.substr(at)))) {
    ++at;
  }
  return at;
}

std::vector<DateToken> tokens_of(std::string_view text) {
  std::vector<DateToken> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_number = html::is_ascii_digit(text[at]);
    if (!is_number && !begins_letter(text.substr(at))) {
      at += std::max<std::size_t>(wide_sign_bytes(text.substr(at)), 1);
      continue;
    }
    DateToken token = {.begin = at, .end = token_end(text, at, is_number)};
    at = token.end;
    const std::string_view word = text.substr(token.begin, token.end - token.begin);
    if (is_number && word.size() <= 4) {
      token.digits = static_cast<int>(word.size());
      base::parse_number(word, token.number);
    } else if (!is_number) {
      if (is_filler(word)) continue;
      token.month = month_named(word);
    }
    tokens.push_back(token);
  }
  return tokens;
}

struct Day {
  int year;
  int month;
  int day;
};

bool is_year(const DateToken& token) { return token.digits == 4; }
bool is_day(const DateToken& token) { return token.digits == 1 || token.digits == 2; }

// "2024-05-06", "6.5.2024", "05/06/2024": with the same sign twice.
std::optional<Day> day_of_numbers(std::span<const DateToken> three, char sign, NumberOrder order) {
  const int a = three[0].number;
  const int b = three[1].number;
  if (is_year(three[0]) && is_day(three[1]) && is_day(three[2])) return Day{a, b, three[2].number};
  if (!is_day(three[0]) || !is_day(three[1]) || !is_year(three[2])) return std::nullopt;
  const bool is_day_first = sign == '.' || a > 12 || (order == NumberOrder::day_first && b <= 12);
  return is_day_first ? Day{three[2].number, b, a} : Day{three[2].number, a, b};
}

std::optional<Day> day_of(std::string_view text, std::span<const DateToken> three,
                          NumberOrder order) {
  const DateToken& a = three[0];
  const DateToken& b = three[1];
  const DateToken& c = three[2];
  // Numbers of another date, or a sentence, may be between them.
  if (c.end - a.begin > 40) return std::nullopt;
  if (is_year(a) && b.month != 0 && is_day(c)) return Day{a.number, b.month, c.number};
  if (a.month != 0 && is_day(b) && is_year(c)) return Day{c.number, a.month, b.number};
  if (is_day(a) && b.month != 0 && is_year(c)) return Day{c.number, b.month, a.number};
  if (b.begin != a.end + 1 || c.begin != b.end + 1 || text[a.end] != text[b.end]) {
    return std::nullopt;
  }
  const char sign = text[a.end];
  if (sign != '-' && sign != '/' && sign != '.') return std::nullopt;
  return day_of_numbers(three, sign, order);
}

// Every date has a year. Most texts have none, and are read no further.
bool may_have_year(std::string_view text) {
  int digits = 0;
  for (const char c : text) {
    digits = html::is_ascii_digit(c) ? digits + 1 : 0;
    if (digits == 4) return true;
  }
  return false;
}

bool is_possible(const Day& day) {
  return day.year >= kYearMin && day.year <= kYearMax &&
         base::to_wall_time({.year = day.year, .month = day.month, .day = day.day}).has_value();
}

}  // namespace

std::vector<DateInText> dates_in(std::string_view text, NumberOrder order) {
  std::vector<DateInText> dates;
  if (!may_have_year(text)) return dates;
  const std::vector<DateToken> tokens = tokens_of(text);
  for (std::size_t i = 0; i + 3 <= tokens.size(); ++i) {
    const auto day = day_of(text, std::span(tokens).subspan(i, 3), order);
    if (!day || !is_possible(*day)) continue;
    dates.push_back(
        {fmt::format("{:04}-{:02}-{:02}", day->year, day->month, day->day), tokens[i].begin});
    i += 2;
  }
  return dates;
}

std::string iso_date(std::string_view text, NumberOrder order) {
  text = html::trimmed(text);
  const std::vector<DateInText> dates = dates_in(text, order);
  if (dates.empty()) return {};
  const bool is_iso = dates.front().begin == 0 && text.starts_with(dates.front().day);
  return is_iso ? std::string(text) : dates.front().day;
}

}  // namespace gossamer::content

#include "dom/xpath_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/ascii.h"
#include "base/utf8.h"

namespace gossamer::dom {
namespace {

constexpr std::string_view kXPathSpaces = " \t\r\n";

// Returns the first character of a text that is not empty.
std::string_view first_character(std::string_view text) noexcept {
  return text.substr(0, std::max<std::size_t>(base::decode_utf8(text).length, 1));
}

}  // namespace

std::size_t xpath_number_length(std::string_view text) noexcept {
  std::size_t at = 0;
  std::size_t digits = 0;
  const auto skip_digits = [&] {
    for (; at < text.size() && base::is_digit(text[at]); ++at) ++digits;
  };
  skip_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    skip_digits();
  }
  return digits == 0 ? 0 : at;
}

double to_xpath_number(std::string_view text) noexcept {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::size_t begin = text.find_first_not_of(kXPathSpaces);
  if (begin == std::string_view::npos) return kNaN;
  text = text.substr(begin, text.find_last_not_of(kXPathSpaces) + 1 - begin);
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  if (text.empty() || xpath_number_length(text) != text.size()) return kNaN;
  double number = 0;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (read.ec == std::errc::result_out_of_range) {
    // It has hundreds of digits before the point, or of zeros behind it.
    const bool is_large = text.find_first_of("123456789") < text.find('.');
    number = is_large ? std::numeric_limits<double>::infinity() : 0;
  }
  return is_negative ? -number : number;
}

std::string to_xpath_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  if (number == 0) return "0";
  std::array<char, 1100> digits;  // 1074 behind the point at most
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed);
  return {digits.data(), written.ptr};
}

double round_xpath(double number) noexcept {
  const double below = std::floor(number);
  return number - below >= 0.5 ? below + 1 : below;
}

std::size_t xpath_length(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string xpath_substring(std::string_view text, double begin, double length) {
  const double first = round_xpath(begin);
  const double end = first + round_xpath(length);  // NaN if one of them is
  std::string out;
  for (double position = 1; !text.empty() && position < end; ++position) {
    const std::string_view character = first_character(text);
    if (position >= first) out += character;
    text.remove_prefix(character.size());
  }
  return out;
}

std::string xpath_translate(std::string_view text, std::string_view from, std::string_view to) {
  std::unordered_map<std::string_view, std::string_view> changes;
  while (!from.empty()) {
    const std::string_view old = first_character(from);
    const std::string_view instead = to.empty() ? std::string_view() : first_character(to);
    changes.emplace(old, instead);
    from.remove_prefix(old.size());
    to.remove_prefix(instead.size());
  }
  std::string out;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    const auto found = changes.find(character);
    out += found == changes.end() ? character : found->second;
    text.remove_prefix(character.size());
  }
  return out;
}

std::string xpath_normalized(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(kXPathSpaces), text.size());
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kXPathSpaces), text.size());
    if (end > 0 && !out.empty()) out += ' ';
    out += text.substr(0, end);
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace gossamer::dom

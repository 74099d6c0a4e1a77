#pragma once

#include <charconv>
#include <string_view>

namespace gossamer::base {

// Parses a number. Returns false unless the whole text is a number that fits.
template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

}  // namespace gossamer::base

#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gossamer::base {

// Parses a number. Returns false unless the whole text is a number that fits.
template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

// Parses a size in bytes: "500", "64K", "10M", "2g", "1T" (1024 each). Empty if it is not one.
inline std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back() & ~0x20);
  int shift = 0;
  if (unit != std::string_view::npos) {
    shift = static_cast<int>(unit + 1) * 10;
    text.remove_suffix(1);
  }
  std::uint64_t number = 0;
  if (!parse_number(text, number) || std::bit_width(number) + shift > 63) return std::nullopt;
  return number << shift;
}

}  // namespace gossamer::base

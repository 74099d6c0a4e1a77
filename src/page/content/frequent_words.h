// The most frequent words of languages that share a script, and letters that few of them use.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gossamer::content {

enum class Script : std::uint8_t { latin, cyrillic, arabic, devanagari, other };

struct LanguageWords {
  std::string_view code;  // ISO 639-1
  Script script;
  std::string_view words;    // in lower case, separated by spaces
  std::string_view letters;  // the same; each one is evidence for the languages that list it
};

// BOUND: fewer than 64, because sets of them are 64 bits.
inline constexpr std::size_t kLanguages = 58;
extern const std::array<LanguageWords, kLanguages> kFrequentWords;

}  // namespace gossamer::content

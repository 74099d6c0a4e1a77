// The words of the pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"

namespace gossamer::site {

enum class Script : std::uint8_t {
  latin,     // ASCII
  cyrillic,  // bytes of windows-1251
  hiragana,  // bytes of Shift_JIS
};

// A word of ASCII letters, the same for the same number.
std::string_view word(std::uint64_t number) noexcept;

// Returns "word-word", for URLs.
std::string slug(std::uint64_t number);
void append_slug(std::string& out, std::uint64_t number);

// Appends sentences to `out` until there are at least `bytes_min` bytes.
void append_sentences(std::string& out, Script script, std::size_t bytes_min, base::Random& random);

// Appends a few words without a full stop.
void append_phrase(std::string& out, Script script, base::Random& random);

}  // namespace gossamer::site

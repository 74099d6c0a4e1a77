// Finds the language of a text by its script, its most frequent words and its letters.
#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::content {

// BOUND: the rest of a longer text is not read.
inline constexpr std::size_t kLanguageBytesMax = 32 * 1024;

// Returns a code of ISO 639-1: "en". Empty if the text is too short or its language is not known.
// `text` is UTF-8.
std::string_view detect_language(std::string_view text);

// Counts words. A character of Chinese or Japanese counts as one word.
std::size_t count_words(std::string_view text);

}  // namespace gossamer::content

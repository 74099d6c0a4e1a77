// Folds characters, so that a search ignores case, accents and forms of width.
#pragma once

#include <string>

namespace gossamer::index {

// Appends the folded form: letters become lower case and lose their accents, ligatures and letters
// of full width become plain letters, a sharp s becomes "ss". Syllables of Hangul and voiced Kana
// stay as they are, as does the Cyrillic short i, which is a letter of its own. A combining accent
// becomes nothing. REQUIRES: `c` is a scalar value.
void append_folded(std::string& out, char32_t c);

// Returns the character that two adjacent ones stand for: a Kana with its voice mark, also of half
// width, a short i, a syllable of Hangul; 0: they stand for themselves.
char32_t composed(char32_t first, char32_t second) noexcept;

// What a character is in a word.
enum class CharacterClass : unsigned char {
  gap,        // it separates words
  letter,     // or a digit, or a mark that belongs to a letter
  joiner,     // invisible, inside words: a soft hyphen
  ideograph,  // of a script without spaces between words: Han, Kana, Hangul, Thai
};
CharacterClass character_class(char32_t c) noexcept;

}  // namespace gossamer::index

// Character references (&amp; &#x41; &notin;) as the HTML Standard reads them, one character at a
// time. https://html.spec.whatwg.org/#character-reference-state
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::html {

// Reads what follows one ampersand.
//
//   CharacterReference reference;
//   reference.begin(/*in_attribute=*/false);
//   while (reference.take(next)) ...   // refused: `next` is not part of it, read it anew
//   out.append(reference.text());
//
// BOUND: holds at most the longest name (32 bytes) and what it stands for; never allocates.
class CharacterReference {
 public:
  // In an attribute, old references without semicolon count only where neither a letter, a digit
  // nor '=' follows: ?a=b&copy=1 is no copyright sign.
  void begin(bool in_attribute) noexcept;

  // The next character, or -1 at the end of the input. False: it does not belong to the reference,
  // which is finished. After a semicolon that ends it, done() is true, and nothing may follow.
  bool take(int c) noexcept;
  bool done() const noexcept { return phase_ == Phase::done; }

  // What to put in place of the ampersand and all that was taken: characters referred to, or, where
  // it turned out to be no reference, the same text.
  // REQUIRES: take() refused a character, or done().
  std::string_view text() const noexcept { return {text_, length_}; }

 private:
  enum class Phase : std::uint8_t { start, named, number_sign, hex_start, decimal, hex, done };

  bool take_named(int c) noexcept;
  bool take_number(int c, unsigned base) noexcept;
  bool take_number_sign(int c) noexcept;
  bool take_hex_start(int c) noexcept;
  bool finish_name(int following) noexcept;
  void finish_number() noexcept;
  void put(char c) noexcept { text_[length_++] = c; }
  void put_code_point(char32_t c) noexcept;

  Phase phase_ = Phase::done;
  bool in_attribute_ = false;
  std::uint8_t length_ = 0;        // of text_: "&" and the name as far as it was read
  std::uint8_t match_length_ = 0;  // of the longest name found so far; 0: none
  std::uint16_t match_ = 0;        // its index
  std::uint16_t low_ = 0;          // names that begin with what was read: [low_, high_)
  std::uint16_t high_ = 0;
  std::uint32_t code_ = 0;  // of a numeric reference; stays above the last code point
  char text_[48] = {};
};

// Appends `raw` with its references replaced, CR and CR LF made LF and, in an attribute, NUL made
// U+FFFD. What follows `raw` must be neither part of a reference nor LF: a quote, '<' or the like.
void append_decoded(std::string_view raw, bool in_attribute, std::string& out);

}  // namespace gossamer::html

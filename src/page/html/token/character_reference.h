// Character references (&amp; &#x41; &notin;) as the HTML Standard reads them, one character at a
// time. https://html.spec.whatwg.org/#character-reference-state
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::html {

// Reads the text after one ampersand.
//
//   CharacterReference reference;
//   reference.begin(/*in_attribute=*/false);
//   while (reference.take(next)) ...   // refused: `next` is not part of it, read it anew
//   out.append(reference.text());
//
// BOUND: holds at most the longest name (32 bytes) and its characters; never allocates.
class CharacterReference {
 public:
  // In an attribute, legacy references without a semicolon count only if neither a letter, a digit
  // nor '=' follows: ?a=b&copy=1 does not contain a copyright sign.
  void begin(bool in_attribute) noexcept;

  // Takes the next character, or -1 at the end of the input. Returns false if it does not belong to
  // the reference, which is then finished. After a semicolon that ends it, done() is true, and
  // take() must not be called.
  bool take(int c) noexcept;
  bool done() const noexcept { return phase_ == Phase::done; }

  // Returns the replacement for the ampersand and everything taken: the characters it refers to, or
  // the same text if it was not a reference.
  // REQUIRES: take() returned false, or done().
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
  std::uint8_t length_ = 0;        // of text_: "&" and the part of the name that was read
  std::uint8_t match_length_ = 0;  // of the longest name found so far; 0: none
  std::uint16_t match_ = 0;        // its index
  std::uint16_t low_ = 0;          // names that begin with the text read: [low_, high_)
  std::uint16_t high_ = 0;
  std::uint32_t code_ = 0;  // of a numeric reference; saturates above the last code point
  char text_[48] = {};
};

// Appends `raw` with its references decoded, CR and CR LF replaced by LF and, in an attribute, NUL
// by U+FFFD. REQUIRES: the next character is neither part of a reference nor LF: a quote, '<' or
// the like.
void append_decoded(std::string_view raw, bool in_attribute, std::string& out);

}  // namespace gossamer::html

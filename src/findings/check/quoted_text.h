// Texts that a link quotes: https://a.example/#:~:text=prefix-,start,end,-suffix
// https://wicg.github.io/scroll-to-text-fragment/
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "url/url.h"

namespace gossamer::check {

// The words of a text as hashes, four bytes each. Case, accents and punctuation do not matter. In
// scripts without spaces each character is a word. Equal words have equal hashes, and different
// words almost always different ones.
class WordHashes {
 public:
  // BOUND: further words are dropped.
  explicit WordHashes(std::size_t words_max) : words_max_(words_max) {}

  // Takes the next piece, in UTF-8. A piece can end within a word, but not within a character.
  void add(std::string_view piece);
  // Ends the text and returns its words. Call it once.
  std::vector<std::uint32_t> take();

 private:
  void add_to_word(char32_t c) noexcept;
  void add_other(char32_t c);
  void end_word();

  const std::size_t words_max_;
  std::vector<std::uint32_t> words_;
  std::uint32_t hash_ = kEmptyWord;

  static constexpr std::uint32_t kEmptyWord = 2'166'136'261;  // FNV-1a
};

// A quotation as words. Each part but `start` may be empty.
struct QuotedText {
  std::vector<std::uint32_t> begin;  // the prefix and the start, which follow each other
  std::vector<std::uint32_t> end;    // the end and the suffix, anywhere after it
  bool is_range = false;             // whether there is an end, so that other words may be between
};

// Returns the quotations of a URL as written: ":~:text=start". Those that browsers ignore are left
// out.
std::vector<std::string> quotations(const url::Url& url);
// REQUIRES: quotations() returned it.
QuotedText parse_quotation(std::string_view quotation);
// Returns the quoted words for people: "start ... end".
std::string describe_quotation(std::string_view quotation);

// Returns whether the text has the quotation. Time is linear in the product of both at worst.
bool contains(std::span<const std::uint32_t> words, const QuotedText& quoted);

}  // namespace gossamer::check

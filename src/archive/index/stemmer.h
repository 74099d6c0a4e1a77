// Reduces words to their stems, by the rules of a language.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace gossamer::index {

// Before stems in the index, so that they are no words.
inline constexpr char kStemMark = '\x01';

// The rules of one language, with the stems of recent words. One thread uses it at a time.
class Stemmer {
 public:
  // `language` is a code of ISO 639-1. There are no rules for most languages: a word is its own
  // stem then.
  explicit Stemmer(std::string_view language);

  bool has_rules() const noexcept { return rules_ != nullptr; }
  // Returns the stem of a folded word. Words with digits have none but themselves.
  // BORROWS: the word, or this object until the next call.
  std::string_view stem(std::string_view word);
  // Returns the stem with kStemMark before it; empty if the word is its own stem.
  // BORROWS: this object, until the next call.
  std::string_view marked_stem(std::string_view word);

 private:
  struct Deleter {
    void operator()(sb_stemmer* rules) const noexcept;
  };
  static constexpr std::size_t kSlotText = 30;
  // BOUND: 512 KiB for words that were stemmed recently.
  static constexpr std::size_t kSlots = 8192;
  // One line of the cache of a processor.
  struct alignas(64) Slot {
    std::uint8_t word_size = 0;
    std::uint8_t stem_size = 0;  // with the mark; 0: the word is its own stem
    std::array<char, kSlotText> word;
    std::array<char, kSlotText + 2> stem;
  };

  std::string_view stem_by_rules(std::string_view word);

  std::unique_ptr<sb_stemmer, Deleter> rules_;
  std::vector<Slot> slots_;
  std::string marked_;  // a stem that has no slot
};

// The stemmers of all languages, made when they are first used. BOUND: codes without rules, which
// come from pages, share one stemmer, and there are few with rules. One thread uses it at a time.
class Stemmers {
 public:
  Stemmers() { by_language_.try_emplace("", ""); }

  Stemmer& of(std::string_view language);

 private:
  std::map<std::string, Stemmer, std::less<>> by_language_;
};

}  // namespace gossamer::index

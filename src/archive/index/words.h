// Splits texts into the words of an index.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::index {

// BOUND: of a folded word; the rest of a longer one is dropped.
inline constexpr std::size_t kWordBytesMax = 64;

// Reads the words of a text one after the other, folded (index/fold.h).
//
//   WordReader reader(text);
//   while (reader.next()) use(reader.word());
//
// Scripts without spaces have no words, so each pair of adjacent characters counts as one: ABCD
// gives AB, BC, CD. In documents the last character of such a run is a word of its own at the place
// of the last pair, so that a search for one character finds it as a prefix.
class WordReader {
 public:
  enum class Mode : unsigned char { document, query };

  // BORROWS: the text, which is UTF-8; other bytes separate words.
  explicit WordReader(std::string_view text, Mode mode = Mode::document) noexcept
      : text_(text), mode_(mode) {}

  WordReader(const WordReader&) = delete;
  WordReader& operator=(const WordReader&) = delete;

  // Returns false at the end.
  bool next();

  // Of the current word. BORROWS: until next().
  std::string_view word() const noexcept { return word_; }
  // Where it is in the text, in bytes.
  std::size_t begin() const noexcept { return begin_; }
  std::size_t end() const noexcept { return end_; }
  // It is at the same place as the previous word.
  bool is_colocated() const noexcept { return is_colocated_; }
  // It is a character or a pair of a script without spaces.
  bool is_ideographic() const noexcept { return is_ideographic_; }

 private:
  bool next_letters();
  bool fold_letters();
  bool next_ideographs();
  void add_other(char32_t c);

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view word_;  // in the text, if it is folded there; else in folded_
  std::string folded_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Mode mode_;
  bool is_colocated_ = false;
  bool is_ideographic_ = false;
  bool is_in_run_ = false;  // at_ is inside a run of ideographs, after its first pair
};

}  // namespace gossamer::index

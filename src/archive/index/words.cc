#include "index/words.h"

#include <array>
#include <cstdint>

#include "base/utf8.h"
#include "index/fold.h"

namespace gossamer::index {
namespace {

// The folded form of ASCII characters in words; 0: not in words, or not ASCII.
constexpr std::array<char, 256> kAsciiWord = [] {
  std::array<char, 256> table = {};
  for (char c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = c;
  for (char c = 'A'; c <= 'Z'; ++c) {
    table[static_cast<std::size_t>(c)] = static_cast<char>(c - 'A' + 'a');
  }
  return table;
}();

struct Character {
  std::size_t bytes = 1;
  char32_t code_point = 0;
  CharacterClass kind = CharacterClass::gap;
};

Character character_at(std::string_view text, std::size_t at) {
  const base::Utf8Sequence found = base::decode_utf8(text.substr(at));
  if (found.length == 0) return {};
  Character one = {found.length, found.code_point};
  // Texts may have letters and their marks apart.
  while (at + one.bytes < text.size() && static_cast<unsigned char>(text[at + one.bytes]) >= 0x80) {
    const base::Utf8Sequence next = base::decode_utf8(text.substr(at + one.bytes));
    const char32_t pair = next.length == 0 ? 0 : composed(one.code_point, next.code_point);
    if (pair == 0) break;
    one.code_point = pair;
    one.bytes += next.length;
  }
  one.kind = character_class(one.code_point);
  return one;
}

}  // namespace

bool WordReader::next() {
  is_colocated_ = false;
  if (is_in_run_ && next_ideographs()) return true;
  while (at_ < text_.size()) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x80) {
      if (kAsciiWord[byte] != 0) return next_letters();
      ++at_;
      continue;
    }
    const Character first = character_at(text_, at_);
    if (first.kind == CharacterClass::letter && next_letters()) return true;
    if (first.kind == CharacterClass::ideograph && next_ideographs()) return true;
    if (first.kind == CharacterClass::gap || first.kind == CharacterClass::joiner) {
      at_ += first.bytes;
    }
  }
  return false;
}

// Returns false if nothing is left of the word: a lone accent.
bool WordReader::next_letters() {
  is_ideographic_ = false;
  begin_ = at_;
  // Most words are folded in the text already, so nothing is copied.
  std::size_t end = at_;
  int changed = 0;
  for (; end < text_.size(); ++end) {
    const char folded = kAsciiWord[static_cast<unsigned char>(text_[end])];
    if (folded == 0) break;
    changed |= folded ^ text_[end];
  }
  const bool is_whole = end == text_.size() || static_cast<unsigned char>(text_[end]) < 0x80;
  if (!is_whole || changed != 0 || end - begin_ > kWordBytesMax) return fold_letters();
  word_ = text_.substr(begin_, end - begin_);
  at_ = end;
  end_ = end;
  return true;
}

bool WordReader::fold_letters() {
  folded_.clear();
  while (at_ < text_.size()) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x80) {
      const char folded = kAsciiWord[byte];
      if (folded == 0) break;
      if (folded_.size() < kWordBytesMax) folded_ += folded;
      ++at_;
      continue;
    }
    const Character next = character_at(text_, at_);
    if (next.kind == CharacterClass::gap || next.kind == CharacterClass::ideograph) break;
    if (next.kind == CharacterClass::letter) add_other(next.code_point);
    at_ += next.bytes;
  }
  end_ = at_;
  word_ = folded_;
  return !word_.empty();
}

void WordReader::add_other(char32_t c) {
  const std::size_t before = folded_.size();
  if (before >= kWordBytesMax) return;
  append_folded(folded_, c);
  // A character is never cut.
  if (folded_.size() > kWordBytesMax) folded_.resize(before);
}

// at_ is at a character that began no pair yet. Returns false at the end of the run.
bool WordReader::next_ideographs() {
  is_ideographic_ = true;
  const Character first =
      at_ < text_.size() ? character_at(text_, at_) : Character{.bytes = 0, .code_point = 0};
  if (first.kind != CharacterClass::ideograph) {
    is_in_run_ = false;
    return false;
  }
  begin_ = at_;
  at_ += first.bytes;
  folded_.clear();
  append_folded(folded_, first.code_point);
  const Character second = at_ < text_.size() ? character_at(text_, at_) : Character{};
  const bool has_pair = second.kind == CharacterClass::ideograph;
  const bool was_in_run = is_in_run_;
  is_in_run_ = has_pair;
  if (has_pair) {
    append_folded(folded_, second.code_point);
    word_ = folded_;
    end_ = at_ + second.bytes;
    return true;
  }
  word_ = folded_;
  end_ = at_;
  if (!was_in_run) return true;  // a run of one character
  is_colocated_ = mode_ == Mode::document;
  return is_colocated_;
}

}  // namespace gossamer::index

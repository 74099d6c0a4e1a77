// Reads one whole tag, or comment, that lies in memory, at the speed at which pages are made of
// them.
//
// Tags come every twenty bytes and most of them say nothing of interest, so what counts is to find
// out quickly that a tag is not wanted and where it ends. Names are compared as words of eight
// bytes. What is rare is refused, and left to Machine: tags that are not complete, names with NUL,
// attributes that begin with '='. The two agree on all else; a fuzz target holds one against the
// other.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "html/byte_index.h"
#include "html/name_table.h"
#include "html/token.h"

namespace gossamer::html {

// Eight bytes at once, the first in the lowest place.
namespace word {

inline constexpr std::uint64_t kOnes = 0x0101010101010101;

inline std::uint64_t load(const char* at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

// Marks bytes that are no letters by bit 0x40. Digits, '-' and the like are marked, and a few bytes
// that are no letters are not: for a first look. The last byte is always marked.
constexpr std::uint64_t non_letters(std::uint64_t word) noexcept {
  return (~word & kOnes * 0x40) | std::uint64_t{0x40} << 56;
}
constexpr unsigned letters_before(std::uint64_t marks) noexcept {
  return static_cast<unsigned>(std::countr_zero(marks)) / 8;
}
// The byte that the lowest such mark stands for.
constexpr std::uint64_t byte_at(std::uint64_t word, std::uint64_t marks) noexcept {
  return word >> (std::countr_zero(marks) - 6) & 0xFF;
}
// With zero for a first byte that would be marked. What comes before the name is no part of its
// key, and there zero is as good as nothing.
constexpr std::uint64_t without_slash(std::uint64_t word) noexcept {
  const auto is_letter = static_cast<std::uint64_t>(static_cast<std::int64_t>(word << 57) >> 63);
  return word & (is_letter | ~std::uint64_t{0xFF});
}
// The key (see NameTable) of the bytes before the lowest such mark. Without such bytes it is any.
constexpr std::uint64_t key_before(std::uint64_t word, std::uint64_t marks) noexcept {
  const int mark = std::countr_zero(marks);  // bit 6 of the byte after the name
  return (word | kLowerCaseBits) << ((64 + 6 - mark) & 63);
}

}  // namespace word

class TagReader {
 public:
  enum class Found : std::uint8_t {
    nothing,   // not a tag, not a whole one, or an unusual one
    unwanted,  // a tag or a comment that is read over
    tag,       // see tag()
  };

  explicit TagReader(const TokenizerLimits& limits);

  // Reads the tag whose '<' is at `begin`. Unless nothing is found, end_of_tag() is the place after
  // its '>'. `index` covers `begin`.
  Found read(const char* begin, const char* end, const Interest& interest, const ByteIndex& index);

  // Reads over tags that nobody wants, from place `number` of the index on. Returns the first place
  // that is worth reading, or the count of all; places before `at` are in tags. Only for when text
  // is not wanted: `at` may be within the last tag read over, and what only looks like a tag is
  // read over too.
  static std::size_t skip_unwanted(const ByteIndex& index, std::size_t number, const char* end,
                                   const Interest& interest, const char** at);

  const char* end_of_tag() const noexcept { return after_; }
  // REQUIRES: a tag was found. BORROWS: from the text read and from this object.
  const Tag& tag() const noexcept { return tag_; }

 private:
  static constexpr std::ptrdiff_t kNameBytesMax = 64;
  // Near the end of the text words cannot be loaded; Machine reads what is left.
  static constexpr std::ptrdiff_t kMargin = 16;

  Found read_comment(const char* begin, const char* end, const Interest& interest);
  Found read_long_name(const char* begin, const char* end, const Interest& interest,
                       const ByteIndex& index);
  Found finish(TagId id, bool is_end, std::string_view name, const char* end,
               const Interest& interest, const ByteIndex& index);
  bool read_attributes(const char* at, const char* end, const ByteIndex& index);
  const char* read_attribute(const char* at, const char* end);
  const char* read_value(const char* at, const char* end, std::string_view* value);
  void keep(AttributeId id, std::string_view name, std::string_view value);
  bool has_room() const noexcept { return attributes_.size() < attributes_max_; }
  std::string_view lower_case(std::string_view text);
  std::string& next_rewritten();

  // Tags longer than this are Machine's, so that no other limit of its can matter here: rewriting
  // makes of one byte at most three.
  std::ptrdiff_t tag_bytes_max_;
  std::size_t attributes_max_;

  const char* after_ = nullptr;
  AttributeSet wanted_ = 0;
  AttributeSet seen_ = 0;
  Tag tag_;
  std::vector<Attribute> attributes_;
  // What had to be rewritten: values with references, names with capitals. The strings stay where
  // they are. No deque, which allocates even if there are none.
  std::vector<std::unique_ptr<std::string>> rewritten_;
  std::size_t rewritten_count_ = 0;
};

// Where the text of an element ends that is read in this mode: the '<' of its end tag, written
// without anything but the name. nullptr: that is not to be found, or something unusual comes
// first.
const char* element_text_end(TextMode mode, std::string_view name, const char* at,
                             const char* end) noexcept;

// A short name of letters, and no attributes or only a class: most tags are like that.
[[gnu::always_inline]] inline std::size_t TagReader::skip_unwanted(const ByteIndex& index,
                                                                   std::size_t number,
                                                                   const char* end,
                                                                   const Interest& interest,
                                                                   const char** at) {
  // "class=" and the quote, as loaded.
  constexpr std::uint64_t kClass = 0x223D7373616C63;
  constexpr std::uint64_t kClassMask = 0xFFFFFFFFFFFFFF;
  constexpr std::ptrdiff_t kSkipMargin = 24;
  const char* reached = *at;
  const std::size_t count = index.count();
  for (; number < count; ++number) {
    const char* const less_than = index.less_than(number);
    if (less_than < reached) [[unlikely]]
      continue;
    if (end - less_than < kSkipMargin) [[unlikely]]
      break;
    const std::uint64_t first = word::load(less_than + 1);
    // The slash of an end tag, like anything that stands there, does not end the name.
    const std::uint64_t marks = word::non_letters(first) & ~std::uint64_t{0xFF};
    const std::uint64_t key = word::key_before(word::without_slash(first), marks);
    if (interest.may_want[kTagTable.slot_of(key)]) break;
    if (word::byte_at(first, marks) == '>') {
      reached = less_than + 1;
      continue;
    }
    const unsigned letter = static_cast<unsigned>((first | 0x20) & 0xFF) - 'a';
    if (word::byte_at(first, marks) != ' ' || letter > 25) break;
    const char* const name_end = less_than + 1 + word::letters_before(marks);
    if ((word::load(name_end + 1) & kClassMask) != kClass) break;
    const char* const value = name_end + 8;
    if (value >= index.end()) [[unlikely]]
      break;
    const char* const close = index.quote(value);
    if (close >= index.end() || end - close < 2 || close[1] != '>') break;
    reached = close + 2;
  }
  *at = reached;
  return number;
}

// The common cases: a short name of letters, and no attributes.
inline TagReader::Found TagReader::read(const char* begin, const char* end,
                                        const Interest& interest, const ByteIndex& index) {
  if (end - begin < kMargin) [[unlikely]]
    return Found::nothing;
  const bool is_end = begin[1] == '/';
  const char* const name_begin = begin + 1 + is_end;
  const std::uint64_t first = word::load(name_begin);
  const std::uint64_t marks = word::non_letters(first);
  const unsigned length = word::letters_before(marks);
  const char* const name_end = name_begin + length;
  if (length == 0) [[unlikely]]
    return read_comment(begin, end, interest);
  const auto id = static_cast<TagId>(kTagTable.find(word::key_before(first, marks)));
  if (id == TagId::other) [[unlikely]]
    return read_long_name(begin, end, interest, index);
  if (*name_end == '>' && !interest[id].wants(is_end)) {
    after_ = name_end + 1;
    return Found::unwanted;
  }
  return finish(id, is_end, {name_begin, length}, end, interest, index);
}

}  // namespace gossamer::html

// Reads one whole tag or comment that is in memory, fast.
//
// Tags come about every twenty bytes and most of them are not wanted, so the speed depends on
// recognising an unwanted tag and its end quickly. Names are compared as words of eight bytes. Rare
// forms are left to Machine: incomplete tags, names with NUL, attributes that begin with '='. The
// two readers agree on everything else; a fuzz target compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "html/token/name_table.h"
#include "html/token/tag_index.h"
#include "html/token/tag_word.h"
#include "html/token/token.h"

namespace gossamer::html {

class TagReader {
 public:
  enum class Found : std::uint8_t {
    nothing,   // not a tag, an incomplete one, or an unusual one
    unwanted,  // a tag or comment to skip
    tag,       // see tag()
  };

  explicit TagReader(const TokenizerLimits& limits);

  // Reads the tag whose '<' is at `begin`. Unless the result is `nothing`, end_of_tag() is the
  // position after its '>'. REQUIRES: `index` covers `begin`.
  Found read(const char* begin, const char* end, const Interest& interest, const TagIndex& index);

  const char* end_of_tag() const noexcept { return after_; }
  // REQUIRES: a tag was found. BORROWS: from the text read and from this object.
  const Tag& tag() const noexcept { return tag_; }

 private:
  static constexpr std::ptrdiff_t kNameBytesMax = 64;
  // Words cannot be loaded near the end of the text; Machine reads the rest.
  static constexpr std::ptrdiff_t kMargin = 16;

  Found read_comment(const char* begin, const char* end, const Interest& interest);
  Found read_long_name(const char* begin, const char* end, const Interest& interest,
                       const TagIndex& index);
  Found finish(TagId id, bool is_end, std::string_view name, const char* end,
               const Interest& interest, const TagIndex& index);
  bool read_attributes(const char* at, const char* end, const TagIndex& index);
  const char* read_attribute(const char* at, const char* end);
  const char* read_value(const char* at, const char* end, std::string_view* value);
  void keep(AttributeId id, std::string_view name, std::string_view value, const char* end);
  bool has_room() const noexcept { return attributes_.size() < attributes_max_; }
  std::string_view lower_case(std::string_view text);
  std::string& next_rewritten();

  // Longer tags are left to Machine, so that its other limits cannot matter here: decoding turns
  // one byte into at most three.
  std::ptrdiff_t tag_bytes_max_;
  std::size_t attributes_max_;

  const char* after_ = nullptr;
  AttributeSet wanted_ = 0;
  AttributeSet seen_ = 0;
  Tag tag_;
  std::vector<Attribute> attributes_;
  // Values with references and names with capitals, rewritten. The strings must not move. A deque
  // would allocate even if it is empty.
  std::vector<std::unique_ptr<std::string>> rewritten_;
  std::size_t rewritten_count_ = 0;
};

// Returns the end of the text of an element in this mode: the '<' of its end tag, written as the
// bare name. Returns nullptr if it is not found, or if something unusual comes first.
const char* element_text_end(TextMode mode, std::string_view name, const char* at,
                             const char* end) noexcept;

// The common cases: a short name of letters, and no attributes.
inline TagReader::Found TagReader::read(const char* begin, const char* end,
                                        const Interest& interest, const TagIndex& index) {
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

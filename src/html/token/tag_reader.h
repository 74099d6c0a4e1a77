// Reads one whole tag, or comment, that lies in memory, at the speed at which pages are made of
// them.
//
// Tags come every twenty bytes and most of them say nothing of interest, so what counts is to find
// out quickly that a tag is not wanted and where it ends. Names are compared as words of eight
// bytes. What is rare is refused, and left to Machine: tags that are not complete, names with NUL,
// attributes that begin with '='. The two agree on all else; a fuzz target holds one against the
// other.
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
    nothing,   // not a tag, not a whole one, or an unusual one
    unwanted,  // a tag or a comment that is read over
    tag,       // see tag()
  };

  explicit TagReader(const TokenizerLimits& limits);

  // Reads the tag whose '<' is at `begin`. Unless nothing is found, end_of_tag() is the place after
  // its '>'. `index` covers `begin`.
  Found read(const char* begin, const char* end, const Interest& interest, const TagIndex& index);

  const char* end_of_tag() const noexcept { return after_; }
  // REQUIRES: a tag was found. BORROWS: from the text read and from this object.
  const Tag& tag() const noexcept { return tag_; }

 private:
  static constexpr std::ptrdiff_t kNameBytesMax = 64;
  // Near the end of the text words cannot be loaded; Machine reads what is left.
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

#include "html/token/tag_reader.h"

#include <algorithm>

#include "base/check.h"
#include "html/token/ascii.h"
#include "html/token/character_reference.h"
#include "html/token/scan.h"

namespace gossamer::html {
namespace {

// Most tags have fewer wanted attributes.
constexpr std::size_t kAttributesExpected = 8;

bool ends_tag_name(char c) noexcept { return is_html_space(c) || c == '/' || c == '>'; }

// Returns the first byte in [at, end) that ends an attribute's name, or that the fast reader does
// not accept in one.
const char* attribute_name_end(const char* at, const char* end) noexcept {
  while (at != end && static_cast<unsigned char>(*at) > ' ' && *at != '=' && *at != '>' &&
         *at != '/') {
    ++at;
  }
  return at;
}

}  // namespace

const char* element_text_end(TextMode mode, std::string_view name, const char* at,
                             const char* end) noexcept {
  const bool is_script = mode == TextMode::script;
  if (!is_script && mode != TextMode::rawtext && mode != TextMode::rcdata) return nullptr;
  for (; (at = find_any(at, end, '<')) != end; ++at) {
    if (static_cast<std::size_t>(end - at) < name.size() + 3) return nullptr;
    if (is_script && at[1] == '!')
      return nullptr;  // after this, an end tag need not end the script
    if (at[1] == '/' && equals_ignoring_case({at + 2, name.size()}, name)) {
      return at[2 + name.size()] == '>' ? at : nullptr;
    }
  }
  return nullptr;
}

TagReader::TagReader(const TokenizerLimits& limits)
    : tag_bytes_max_(static_cast<std::ptrdiff_t>(std::min(
          {std::size_t{64 * 1024}, limits.value_bytes_max / 3, limits.tag_bytes_max / 3}))),
      attributes_max_(limits.attributes_max) {
  CHECK(limits.name_bytes_max >= kNameBytesMax);
  attributes_.reserve(kAttributesExpected);
}

// A comment ends at the first "-->" or "--!>"; "<!-->" and "<!--->" are complete comments.
TagReader::Found TagReader::read_comment(const char* begin, const char* end,
                                         const Interest& interest) {
  if (interest.comments || std::memcmp(begin, "<!--", 4) != 0) return Found::nothing;
  const char* const text = begin + 4;
  for (const char* close = text; (close = find_any(close, end, '>')) != end; ++close) {
    const std::string_view before(text, close);
    if (before.empty() || before == "-" || before.ends_with("--") || before.ends_with("--!")) {
      after_ = close + 1;
      return Found::unwanted;
    }
  }
  return Found::nothing;
}

// Reads a name that the table did not find: it is longer than a word, contains digits or hyphens,
// or is unknown.
TagReader::Found TagReader::read_long_name(const char* begin, const char* end,
                                           const Interest& interest, const TagIndex& index) {
  const bool is_end = begin[1] == '/';
  const char* const name_begin = begin + 1 + is_end;
  if (!is_ascii_letter(*name_begin)) return Found::nothing;
  const char* name_end = name_begin + 1;
  const char* const limit = std::min(end, name_begin + kNameBytesMax);
  while (name_end != limit && *name_end != '\0' && !ends_tag_name(*name_end)) ++name_end;
  if (name_end == limit || *name_end == '\0') return Found::nothing;
  const std::string_view name(name_begin, name_end);
  return finish(tag_id(name), is_end, name, end, interest, index);
}

TagReader::Found TagReader::finish(TagId id, bool is_end, std::string_view name, const char* end,
                                   const Interest& interest, const TagIndex& index) {
  const char* const name_end = name.data() + name.size();
  const Interest::OfTag& of_tag = interest[id];
  tag_.self_closing = false;
  attributes_.clear();
  rewritten_count_ = 0;
  if (*name_end == '>') {
    after_ = name_end + 1;
  } else {
    if (!ends_tag_name(*name_end)) return Found::nothing;
    wanted_ = is_end ? 0 : of_tag.attributes;
    seen_ = 0;
    if (end - name_end > tag_bytes_max_) end = name_end + tag_bytes_max_;
    if (!read_attributes(name_end, end, index)) return Found::nothing;
  }
  const bool is_wanted = of_tag.wants(is_end) || !attributes_.empty();
  if (!is_wanted) return Found::unwanted;
  tag_.id = id;
  tag_.is_end = is_end;
  tag_.name = id == TagId::other ? lower_case(name) : html::name(id);
  tag_.attributes = attributes_;
  return Found::tag;
}

// Reads from the byte after the name to the '>'. Returns false if the tag is incomplete or unusual.
bool TagReader::read_attributes(const char* at, const char* end, const TagIndex& index) {
  const char* const index_end = std::min(index.end(), end);
  while (end - at > kMargin) {
    // The usual form of an attribute: a space, a name of up to six letters, '=' and a quote.
    const std::uint64_t first = word::load(at + 1);
    const std::uint64_t marks = word::non_letters(first);
    const unsigned length = word::letters_before(marks);
    const char* const equals = at + 1 + length;
    if (*at == ' ' && length != 0 && equals[0] == '=' && equals[1] == '"') [[likely]] {
      const char* const value_begin = equals + 2;
      if (value_begin >= index_end) break;
      const char* const close = index.quote(value_begin);
      if (close >= index_end) break;
      const std::uint64_t key = word::key_before(first, marks);
      const auto id = static_cast<AttributeId>(kAttributeTable.find(key));
      if (contains(wanted_, id)) {
        if (!has_room()) return false;
        keep(id, {at + 1, length}, {value_begin, close}, end);
      }
      at = close + 1;
    } else {
      at = read_attribute(at, end);
      if (at == nullptr) return false;
    }
    if (at == end) return false;
    if (*at == '>') {
      after_ = at + 1;
      return true;
    }
  }
  while (at != end && *at != '>') {
    at = read_attribute(at, end);
    if (at == nullptr) return false;
  }
  after_ = at + 1;
  return at != end;
}

// Reads white space and slashes, and one attribute in any form if there is one; stops before '>'.
// Returns nullptr if the tag is incomplete or unusual.
const char* TagReader::read_attribute(const char* at, const char* end) {
  while (at != end && (is_html_space(*at) || *at == '/')) {
    tag_.self_closing = *at++ == '/';
  }
  if (at == end) return nullptr;
  if (*at == '>') return at;
  tag_.self_closing = false;
  const std::string_view name(at, attribute_name_end(at, end));
  at += name.size();
  if (at == end || name.empty() || name.size() > kNameBytesMax) return nullptr;
  while (at != end && is_html_space(*at)) ++at;
  if (at == end || static_cast<unsigned char>(*at) < ' ') return nullptr;
  std::string_view value(at, 0);  // empty, but points into the text
  if (*at == '=') {
    at = read_value(at + 1, end, &value);
    if (at == nullptr) return nullptr;
  }
  const AttributeId id = wanted_ == 0 ? AttributeId::other : attribute_id(name);
  if (contains(wanted_, id)) {
    if (!has_room()) return nullptr;
    keep(id, name, value, end);
  }
  return at;
}

// `at` is the position after '='. Returns the position after the value, or nullptr.
const char* TagReader::read_value(const char* at, const char* end, std::string_view* value) {
  while (at != end && is_html_space(*at)) ++at;
  if (at == end) return nullptr;
  const char quote = *at;
  if (quote == '"' || quote == '\'') [[likely]] {
    const char* const begin = at + 1;
    const char* const close = find_any(begin, end, quote);
    if (close == end) return nullptr;
    *value = {begin, close};
    return close + 1;
  }
  const char* const begin = at;
  at = find_any(at, end, ' ', '>', '\n', '\t', '\r', '\f');
  if (at == end) return nullptr;
  *value = {begin, at};
  return at;
}

std::string& TagReader::next_rewritten() {
  if (rewritten_count_ == rewritten_.size()) {
    rewritten_.push_back(std::make_unique<std::string>());
  }
  std::string& next = *rewritten_[rewritten_count_++];
  next.clear();
  return next;
}

std::string_view TagReader::lower_case(std::string_view text) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (std::ranges::none_of(text, is_capital)) return text;
  std::string& lower = next_rewritten();
  append_lower_case(lower, text);
  return lower;
}

// The first of two attributes with one name counts. May read up to `end`, past the value.
void TagReader::keep(AttributeId id, std::string_view name, std::string_view value,
                     const char* end) {
  if (id == AttributeId::other) {
    name = lower_case(name);
    const auto is_same = [&](const Attribute& other) { return other.name == name; };
    if (std::ranges::any_of(attributes_, is_same)) return;
  } else {
    if (contains(seen_, id)) return;
    seen_ |= set_of(id);
    name = html::name(id);
  }
  if (has_any(value.data(), value.data() + value.size(), end, '&', '\r', '\0')) {
    std::string& decoded = next_rewritten();
    append_decoded(value, true, decoded);
    value = decoded;
  }
  attributes_.push_back({id, name, value});
}

}  // namespace gossamer::html

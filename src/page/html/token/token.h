// The tokens, and the interface that receives them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "html/token/names.h"
#include "html/token/tag_slots.h"

namespace gossamer::html {

// How the characters after a start tag are read. The tree builder decides it by the element.
enum class TextMode : std::uint8_t {
  data,       // markup
  rcdata,     // text and character references, up to the end tag: title, textarea
  rawtext,    // text up to the end tag: style, xmp, iframe, noembed, noframes
  script,     // the same, except for <!-- --> in it
  plaintext,  // text up to the end of the document
  cdata,      // text up to ]]>; only for a document that begins in the middle of it
};

struct Attribute {
  AttributeId id = AttributeId::other;
  std::string_view name;   // in lower case
  std::string_view value;  // references replaced
};

// A start or an end tag. BORROWS: the views are valid during the call that passes it.
struct Tag {
  TagId id = TagId::other;
  bool is_end = false;
  bool self_closing = false;
  std::string_view name;                  // in lower case
  std::span<const Attribute> attributes;  // with unique names; an end tag has none

  // Returns the value of an attribute, nullptr if the tag has none of that name.
  const std::string_view* find(AttributeId wanted) const noexcept {
    for (const Attribute& attribute : attributes) {
      if (attribute.id == wanted) return &attribute.value;
    }
    return nullptr;
  }
  // The same, empty if there is none.
  std::string_view value(AttributeId wanted) const noexcept {
    const std::string_view* const found = find(wanted);
    return found == nullptr ? std::string_view() : *found;
  }
};

struct Doctype {
  std::string_view name;
  std::string_view public_id;
  std::string_view system_id;
  bool has_name = false;
  bool has_public_id = false;
  bool has_system_id = false;
  bool force_quirks = false;
};

// What a sink wants to receive. Everything else is skipped, which is much faster: few tags of a
// page have links.
struct Interest {
  // The interest in one element.
  struct OfTag {
    AttributeSet attributes = 0;  // a start tag with one of these is wanted
    bool start = false;           // every start tag is wanted
    bool end = false;             // every end tag is wanted

    bool wants(bool is_end) const noexcept { return is_end ? end : start; }
  };

  std::array<OfTag, kTagNames.size()> tags = {};
  bool comments = false;
  bool doctypes = false;
  // By kTagSlots: whether a tag may be wanted if it has no attributes or only `class`. Until
  // settle() is called, each may be, which is correct but slow.
  std::array<bool, TagSlots::kCount> may_want = every_slot(true);
  // Unknown names without attributes are not wanted, so it pays to skip unwanted tags in advance.
  // An interest should not change often, because tags are skipped for a stretch of text at a time.
  bool is_choosy = false;

  OfTag& operator[](TagId id) noexcept { return tags[static_cast<std::size_t>(id)]; }
  const OfTag& operator[](TagId id) const noexcept { return tags[static_cast<std::size_t>(id)]; }

  // Call it when everything is filled in.
  constexpr void settle() noexcept {
    if (comments) return;  // some look like tags
    // An unknown name may have any slot.
    const bool wants_unknown = wants_start(tags[0]) || tags[0].end;
    may_want = every_slot(wants_unknown);
    for (std::size_t i = 1; i < tags.size(); ++i) {
      const std::string_view name = kTagNames[i];
      if (kTagSlots.has_start(name)) may_want[kTagSlots.of_start(name)] |= wants_start(tags[i]);
      if (kTagSlots.has_end(name)) may_want[kTagSlots.of_end(name)] |= tags[i].end;
    }
    is_choosy = !wants_unknown;
  }

  static constexpr Interest in_everything() noexcept {
    Interest all;
    for (OfTag& tag : all.tags) tag = {kAllAttributes, true, true};
    all.comments = all.doctypes = true;
    return all;
  }

 private:
  // Without attributes, or with only a class, which counts as `other`.
  static_assert(std::ranges::find(kAttributeNames, "class") == kAttributeNames.end());
  static constexpr bool wants_start(const OfTag& tag) noexcept {
    return tag.start || contains(tag.attributes, AttributeId::other);
  }
  static constexpr std::array<bool, TagSlots::kCount> every_slot(bool value) noexcept {
    std::array<bool, TagSlots::kCount> slots;
    slots.fill(value);
    return slots;
  }
};

// Receives tokens. BORROWS: arguments are valid during the call.
class TokenSink {
 public:
  virtual ~TokenSink() = default;

  // For a start tag, returns how to read on; for an end tag, the result is ignored.
  virtual TextMode tag(const Tag& tag) = 0;
  // Undecoded text, in pieces of any size.
  virtual void text(std::string_view piece) = 0;
  virtual void comment(std::string_view /*data*/) {}
  virtual void doctype(const Doctype& /*doctype*/) {}
  // Returns whether <![CDATA[ begins text here: the current node is an element of SVG or MathML.
  virtual bool in_foreign_content() const { return false; }

  // Both may change with every tag().
  const Interest& interest() const noexcept { return *interest_; }
  bool wants_text() const noexcept { return wants_text_; }

 protected:
  explicit TokenSink(const Interest& interest) noexcept : interest_(&interest) {}
  TokenSink(const TokenSink&) = default;
  TokenSink& operator=(const TokenSink&) = default;

  const Interest* interest_;
  bool wants_text_ = false;
};

// BOUND: the size of one token. Real pages stay far below, but a page may be an attack.
struct TokenizerLimits {
  std::size_t name_bytes_max = 256;               // longer names are cut
  std::size_t value_bytes_max = 2 * 1024 * 1024;  // longer attributes are left out
  std::size_t tag_bytes_max = 4 * 1024 * 1024;    // all values of a tag; further ones are left out
  std::size_t attributes_max = 1024;              // per tag; further ones are left out
  std::size_t comment_bytes_max = 64 * 1024;      // longer comments and doctypes are cut
};

}  // namespace gossamer::html

// The nodes of a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "html/token/names.h"

namespace gossamer::dom {

using html::AttributeId;
using html::TagId;

// BOUND: the level of an element. A deeper one becomes a sibling of the innermost of these, like in
// browsers.
inline constexpr std::size_t kDepthMax = 512;

enum class Kind : std::uint8_t {
  document,
  doctype,
  element,
  text,
  comment,
  content,  // the only child of a <template>: its content, which is not part of the page
};

// The namespace of an element.
enum class Space : std::uint8_t { html, svg, math };

// The namespace of an attribute. Only some attributes of SVG and MathML have one.
enum class AttributeSpace : std::uint8_t { none, xlink, xml, xmlns };

// What the tree builder must know about an element often.
enum class Trait : std::uint8_t {
  open = 1,        // it is on the stack of open elements
  special = 2,     // https://html.spec.whatwg.org/#special
  barrier = 4,     // it ends the search for an element in scope
  takes_html = 8,  // https://html.spec.whatwg.org/#html-integration-point
  takes_text = 16  // https://html.spec.whatwg.org/#mathml-text-integration-point
};

class Attribute {
 public:
  Attribute(AttributeId id, AttributeSpace space, std::string_view name,
            std::string_view value) noexcept
      : name_(name.data()),
        value_(value.data()),
        value_bytes_(static_cast<std::uint32_t>(value.size())),
        name_bytes_(static_cast<std::uint16_t>(name.size())),
        id_(id),
        space_(space) {}

  AttributeId id() const noexcept { return id_; }
  AttributeSpace space() const noexcept { return space_; }
  // As written, but in the case that the element's namespace prescribes: "xlink:href", "viewBox".
  std::string_view name() const noexcept { return {name_, name_bytes_}; }
  std::string_view value() const noexcept { return {value_, value_bytes_}; }

 private:
  const char* name_;
  const char* value_;
  std::uint32_t value_bytes_;
  std::uint16_t name_bytes_;
  AttributeId id_;
  AttributeSpace space_;
};

// Belongs to a Document. One cache line.
class Node {
 public:
  Kind kind() const noexcept { return kind_; }
  bool is_element() const noexcept { return kind_ == Kind::element; }
  bool is_text() const noexcept { return kind_ == Kind::text; }
  // Returns whether it is this element of HTML. REQUIRES: a name with a number.
  bool is(TagId tag) const noexcept {
    return tag_ == tag && kind_ == Kind::element && space_ == Space::html;
  }

  Node* parent() const noexcept { return parent_; }
  Node* first_child() const noexcept { return first_child_; }
  Node* last_child() const noexcept { return last_child_; }
  Node* next() const noexcept { return next_; }
  Node* previous() const noexcept { return previous_; }

  // Of an element. The number is that of the name in lower case.
  TagId tag() const noexcept { return tag_; }
  Space space() const noexcept { return space_; }
  std::string_view name() const noexcept { return *name_; }
  std::span<const Attribute> attributes() const noexcept {
    return {static_cast<const Attribute*>(data_), size_};
  }
  // Returns nullptr if there is no such attribute. The first is for names with a number.
  const Attribute* find(AttributeId id) const noexcept;
  const Attribute* find(std::string_view name) const noexcept;
  // Returns the value of an attribute, empty if there is none.
  std::string_view value(AttributeId id) const noexcept;

  bool has(Trait trait) const noexcept { return (traits_ & static_cast<std::uint8_t>(trait)) != 0; }

  // Of a text or a comment.
  std::string_view text() const noexcept { return {static_cast<const char*>(data_), size_}; }

 private:
  friend class Nodes;

  explicit Node(Kind kind) noexcept : kind_(kind) {}

  Node* parent_ = nullptr;
  Node* first_child_ = nullptr;
  Node* last_child_ = nullptr;
  Node* next_ = nullptr;
  Node* previous_ = nullptr;
  const void* data_ = nullptr;  // attributes, or text
  union {
    const std::string_view* name_;  // of an element
    std::size_t room_ = 0;          // the bytes that a text has in the arena; 0: not in the arena
  };
  std::uint32_t size_ = 0;  // the number of attributes, or of bytes
  Kind kind_;
  Space space_ = Space::html;
  TagId tag_ = TagId::other;
  std::uint8_t traits_ = 0;
};
static_assert(sizeof(Node) == 64);

// Returns the node after `node` in document order, nullptr after the last one below `root`. The
// content of templates is left out. REQUIRES: `node` is `root` or below it.
const Node* next_in(const Node& root, const Node& node) noexcept;
// The same, but skips what is below `node`.
const Node* next_after(const Node& root, const Node& node) noexcept;

}  // namespace gossamer::dom

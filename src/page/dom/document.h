// A page as a tree.
//
//   const dom::Document document = dom::parse(page);
//   const dom::Node& root = document.root();
//   for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dom/nodes.h"

namespace gossamer::dom {

// https://dom.spec.whatwg.org/#concept-document-quirks
enum class Quirks : std::uint8_t { none, limited, full };

struct Doctype {
  std::string_view name;
  std::string_view public_id;
  std::string_view system_id;
};

// BORROWS: the page that it was made of. Nodes stay in place when the document is moved.
class Document {
 public:
  explicit Document(std::string_view page) : nodes_(page), root_(&nodes_.make(Kind::document)) {}

  // Returns the node of kind `document`, which contains everything.
  const Node& root() const noexcept { return *root_; }
  Quirks quirks() const noexcept { return quirks_; }
  // Empty if there is no doctype. The node of kind `doctype` tells where it is.
  const Doctype& doctype() const noexcept { return doctype_; }
  // Returns whether the page exceeded a limit. The tree then ends where the limit was reached.
  bool is_truncated() const noexcept { return is_truncated_; }

  // Returns whether the page may have an element `base`.
  bool may_have_base() const noexcept { return may_have_base_; }

  std::size_t node_count() const noexcept { return nodes_.count(); }
  // Returns how much work the tree was: new nodes, and elements that were searched or moved. It is
  // proportional to the time, whatever the machine.
  std::uint64_t steps() const noexcept { return steps_; }
  // Returns the memory that the tree takes, without the page.
  std::size_t bytes_used() const noexcept { return nodes_.bytes_used(); }

 private:
  friend struct Builder;

  Nodes nodes_;
  Node* root_;
  Doctype doctype_;
  Quirks quirks_ = Quirks::none;
  bool is_truncated_ = false;
  bool may_have_base_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace gossamer::dom

// As much of tree construction as a reader without a tree needs: how to read on after a start tag,
// whether we are in SVG or MathML, and whether in a template, whose content is no part of the page.
// https://html.spec.whatwg.org/#tree-construction
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "html/token.h"

namespace gossamer::html {

// How the text of an HTML element is read.
TextMode text_mode_of(TagId id) noexcept;

// Keeps a stack of open elements only from <svg> or <math> to their end: nothing else needs one.
// It must be told of every tag while is_foreign(), else of those that begins_something() names.
//
// Where the real tree builder would have to know the elements around, the likely case is assumed:
// an end tag of an HTML element that is not open within the foreign content ends all of it.
//
// BOUND: the stack holds kDepthMax elements; those deeper are not told apart.
class ContentModel {
 public:
  static constexpr std::size_t kDepthMax = 512;

  // How to read on after a start tag.
  TextMode open(const Tag& tag);
  void close(const Tag& tag);

  // Inside <svg> or <math>, also where HTML stands in them again.
  bool is_foreign() const noexcept { return !stack_.empty(); }
  // The element opened last is of SVG or MathML, or would be: <![CDATA[ begins text.
  bool current_is_foreign() const noexcept {
    return !stack_.empty() && stack_.back().space != Space::html;
  }
  // The tag given to open() last made an HTML element, not one of SVG or MathML.
  bool opened_html() const noexcept { return opened_html_; }
  bool in_template() const noexcept { return template_depth_ > 0; }
  // Text here is not for the eye: SVG shows only that of its <text> elements.
  bool hides_text() const noexcept;

 private:
  enum class Space : std::uint8_t { html, svg, math };
  // Where HTML may stand in foreign content.
  enum class Integration : std::uint8_t { none, html, math_text, annotation };

  struct Element {
    Space space;
    Integration integration;
    TagId id;
    std::uint64_t name_hash;  // tells names without number apart
  };

  TextMode open_html(const Tag& tag);
  void open_foreign(const Tag& tag);
  bool is_html_content(const Tag& tag) const noexcept;
  void push(Space space, Integration integration, const Tag& tag);
  void pop();
  void leave_foreign_elements();

  std::vector<Element> stack_;
  std::size_t beyond_ = 0;  // open elements that the stack has no room for
  std::size_t template_depth_ = 0;
  bool opened_html_ = true;
};

}  // namespace gossamer::html

// The part of tree construction that a reader without a tree needs. After a start tag it tells how
// to read on. It knows whether the position is in SVG or MathML, in a template, whose content is
// not part of the page, or in a frameset, which contains only frames.
// https://html.spec.whatwg.org/#tree-construction
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "html/token/token.h"

namespace gossamer::html {

// Returns how the text of an HTML element is read.
TextMode text_mode_of(TagId id) noexcept;

// Keeps a stack of open elements only from <svg> or <math> to their end: nothing else needs one.
// The caller must report every tag while is_foreign(); otherwise only elements whose text is not
// markup, and svg, math, template, body and frameset.
//
// Where the real tree builder would need the surrounding elements, the likely case is assumed:
// - After an end tag of an HTML element that is not open within the foreign content, it is in doubt
//   whether that content continues. A start tag that only SVG or MathML has means that it does; any
//   other start tag means that it ended.
// - <frameset> counts if no part of a body, and no text of one, was reported before it.
//
// BOUND: the stack holds kDepthMax elements; deeper ones are only counted.
class ContentModel {
 public:
  static constexpr std::size_t kDepthMax = 512;

  // Returns how to read on after a start tag.
  TextMode open(const Tag& tag);
  void close(const Tag& tag);
  // The caller must report text while wants_text(), and may report any other.
  void text(std::string_view piece) noexcept;

  // Returns whether text here begins the body.
  bool wants_text() const noexcept {
    return phase_ == Phase::head && mode_ == TextMode::data && !in_template();
  }
  // Returns whether the position is inside <svg> or <math>, also in HTML within them.
  bool is_foreign() const noexcept { return !stack_.empty(); }
  // Returns whether the current element is, or would be, of SVG or MathML: <![CDATA[ begins text
  // there.
  bool current_is_foreign() const noexcept {
    return !stack_.empty() && stack_.back().space != Space::html;
  }
  // Returns whether the last open() made an HTML element, not one of SVG or MathML.
  bool opened_html() const noexcept { return opened_html_; }
  // Returns whether the last open() made no element: a frameset contains only frames.
  bool ignored() const noexcept { return ignored_; }
  // Returns whether it is unknown if the foreign content continues.
  bool is_in_doubt() const noexcept { return is_in_doubt_; }
  // Not in one that is the shadow root of its element: that is shown.
  bool in_template() const noexcept { return hidden_template_ > 0; }
  // Returns whether text here is invisible: SVG shows only the text of its <text> elements.
  bool hides_text() const noexcept;

 private:
  enum class Space : std::uint8_t { html, svg, math };
  // https://html.spec.whatwg.org/#the-insertion-mode
  enum class Phase : std::uint8_t { head, body, frameset, after_frameset };
  // Where foreign content can contain HTML.
  enum class Integration : std::uint8_t { none, html, math_text, annotation };

  struct Element {
    Space space;
    Integration integration;
    TagId id;
    std::uint64_t name_hash;  // distinguishes names without a number
  };

  TextMode open_element(const Tag& tag);
  TextMode open_html(const Tag& tag);
  void settle_doubt(const Tag& tag);
  bool takes_in_frameset(const Tag& tag);
  void close_frameset();
  void open_template(const Tag& tag);
  void close_template();
  void open_foreign(const Tag& tag);
  bool is_html_content(const Tag& tag) const noexcept;
  void push(Space space, Integration integration, const Tag& tag);
  void pop();
  void leave_foreign_elements();

  std::vector<Element> stack_;
  std::size_t beyond_ = 0;  // open elements that do not fit on the stack
  std::size_t template_depth_ = 0;
  std::size_t hidden_template_ = 0;  // the depth of the outermost that is not shown; 0: none
  std::size_t frameset_depth_ = 0;
  Phase phase_ = Phase::head;
  TextMode mode_ = TextMode::data;  // of the text here
  bool opened_html_ = true;
  bool ignored_ = false;
  bool is_in_doubt_ = false;
};

}  // namespace gossamer::html

// As much of tree construction as a reader without a tree needs: how to read on after a start tag,
// whether we are in SVG or MathML, whether in a template, whose content is no part of the page, and
// whether in a frameset, which holds nothing but frames.
// https://html.spec.whatwg.org/#tree-construction
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "html/token/token.h"

namespace gossamer::html {

// How the text of an HTML element is read.
TextMode text_mode_of(TagId id) noexcept;

// Keeps a stack of open elements only from <svg> or <math> to their end: nothing else needs one.
// It must be told of every tag while is_foreign(), else of the elements whose text is no markup,
// and of svg, math, template, body and frameset.
//
// Where the real tree builder would have to know the elements around, the likely case is assumed:
// - An end tag of an HTML element that is not open within the foreign content leaves it in doubt
//   whether that goes on. A start tag that only SVG or MathML has says that it does, any other says
//   that it ended.
// - <frameset> counts if nothing of a body came before it, as far as we were told.
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
  // The tag given to open() last made no element: nothing but frames may be in a frameset.
  bool ignored() const noexcept { return ignored_; }
  // Whether the foreign content goes on is not known.
  bool is_in_doubt() const noexcept { return is_in_doubt_; }
  bool in_template() const noexcept { return template_depth_ > 0; }
  // Text here is not for the eye: SVG shows only that of its <text> elements.
  bool hides_text() const noexcept;

 private:
  enum class Space : std::uint8_t { html, svg, math };
  // https://html.spec.whatwg.org/#the-insertion-mode
  enum class Phase : std::uint8_t { head, body, frameset, after_frameset };
  // Where HTML may stand in foreign content.
  enum class Integration : std::uint8_t { none, html, math_text, annotation };

  struct Element {
    Space space;
    Integration integration;
    TagId id;
    std::uint64_t name_hash;  // tells names without number apart
  };

  TextMode open_html(const Tag& tag);
  void settle_doubt(const Tag& tag);
  bool takes_in_frameset(const Tag& tag);
  void close_frameset();
  void open_foreign(const Tag& tag);
  bool is_html_content(const Tag& tag) const noexcept;
  void push(Space space, Integration integration, const Tag& tag);
  void pop();
  void leave_foreign_elements();

  std::vector<Element> stack_;
  std::size_t beyond_ = 0;  // open elements that the stack has no room for
  std::size_t template_depth_ = 0;
  std::size_t frameset_depth_ = 0;
  Phase phase_ = Phase::head;
  bool opened_html_ = true;
  bool ignored_ = false;
  bool is_in_doubt_ = false;
};

}  // namespace gossamer::html

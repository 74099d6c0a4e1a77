#include "html/token/content_model.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hash.h"
#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

bool is_void(TagId id) noexcept {
  switch (id) {
    case TagId::area:
    case TagId::base:
    case TagId::br:
    case TagId::col:
    case TagId::embed:
    case TagId::hr:
    case TagId::img:
    case TagId::image:
    case TagId::input:
    case TagId::keygen:
    case TagId::link:
    case TagId::meta:
    case TagId::param:
    case TagId::source:
    case TagId::track:
    case TagId::wbr: return true;
    default: return false;
  }
}

// https://html.spec.whatwg.org/#parsing-main-inforeign: start tags that end SVG and MathML, because
// they cannot be inside.
bool ends_foreign_content(const Tag& tag) noexcept {
  switch (tag.id) {
    case TagId::b:
    case TagId::big:
    case TagId::blockquote:
    case TagId::body:
    case TagId::br:
    case TagId::center:
    case TagId::code:
    case TagId::dd:
    case TagId::div:
    case TagId::dl:
    case TagId::dt:
    case TagId::em:
    case TagId::embed:
    case TagId::h1:
    case TagId::h2:
    case TagId::h3:
    case TagId::h4:
    case TagId::h5:
    case TagId::h6:
    case TagId::head:
    case TagId::hr:
    case TagId::i:
    case TagId::img:
    case TagId::li:
    case TagId::listing:
    case TagId::menu:
    case TagId::meta:
    case TagId::nobr:
    case TagId::ol:
    case TagId::p:
    case TagId::pre:
    case TagId::ruby:
    case TagId::s:
    case TagId::small:
    case TagId::span:
    case TagId::strong:
    case TagId::strike:
    case TagId::sub:
    case TagId::sup:
    case TagId::table:
    case TagId::tt:
    case TagId::u:
    case TagId::ul:
    case TagId::var: return true;
    case TagId::font:
      return tag.find(AttributeId::color) != nullptr || tag.find(AttributeId::face) != nullptr ||
             tag.find(AttributeId::size) != nullptr;
    default: return false;
  }
}

// Elements after which a <frameset> can still come.
bool is_before_body(TagId id) noexcept {
  switch (id) {
    case TagId::html:
    case TagId::head:
    case TagId::base:
    case TagId::link:
    case TagId::meta:
    case TagId::title:
    case TagId::style:
    case TagId::script:
    case TagId::noscript:
    case TagId::noframes:
    case TagId::template_: return true;
    default: return false;
  }
}

// Elements of SVG and MathML that HTML does not have, in order.
constexpr auto kForeignNames = std::to_array<std::string_view>({
    "animate",
    "animatemotion",
    "animatetransform",
    "annotation",
    "annotation-xml",
    "circle",
    "clippath",
    "cursor",
    "defs",
    "desc",
    "ellipse",
    "feblend",
    "fecolormatrix",
    "fecomposite",
    "feflood",
    "fegaussianblur",
    "feimage",
    "femerge",
    "femergenode",
    "feoffset",
    "filter",
    "foreignobject",
    "g",
    "line",
    "lineargradient",
    "maction",
    "marker",
    "mask",
    "menclose",
    "merror",
    "metadata",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mpath",
    "mphantom",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "path",
    "pattern",
    "polygon",
    "polyline",
    "radialgradient",
    "rect",
    "semantics",
    "set",
    "stop",
    "switch",
    "symbol",
    "text",
    "textpath",
    "tref",
    "tspan",
    "use",
    "view",
});
static_assert(std::ranges::is_sorted(kForeignNames));

// Returns whether the tag is used only in SVG and MathML.
bool is_only_foreign(const Tag& tag) noexcept {
  if (tag.find(AttributeId::xlink_href) != nullptr) return true;
  if (tag.id == TagId::image) {
    return tag.find(AttributeId::href) != nullptr && tag.find(AttributeId::src) == nullptr;
  }
  return std::ranges::binary_search(kForeignNames, tag.name);
}

}  // namespace

TextMode text_mode_of(TagId id) noexcept {
  switch (id) {
    case TagId::title:
    case TagId::textarea: return TextMode::rcdata;
    case TagId::style:
    case TagId::xmp:
    case TagId::iframe:
    case TagId::noembed:
    case TagId::noframes: return TextMode::rawtext;
    case TagId::script: return TextMode::script;
    case TagId::plaintext: return TextMode::plaintext;
    default: return TextMode::data;
  }
}

TextMode ContentModel::open(const Tag& tag) {
  mode_ = open_element(tag);
  return mode_;
}

TextMode ContentModel::open_element(const Tag& tag) {
  ignored_ = !takes_in_frameset(tag);
  if (ignored_) {
    opened_html_ = true;
    return TextMode::data;
  }
  if (is_in_doubt_) settle_doubt(tag);
  if (is_in_doubt_) {  // <a> may be either
    opened_html_ = true;
    return TextMode::data;
  }
  // https://html.spec.whatwg.org/#tree-construction-dispatcher
  if (is_html_content(tag)) return open_html(tag);
  if (ends_foreign_content(tag)) {
    leave_foreign_elements();
    return open_html(tag);
  }
  open_foreign(tag);
  return TextMode::data;
}

// Decides by a start tag, if possible, whether the foreign content continues.
void ContentModel::settle_doubt(const Tag& tag) {
  if (is_only_foreign(tag)) {
    is_in_doubt_ = false;
  } else if (tag.id != TagId::a) {
    is_in_doubt_ = false;
    while (!stack_.empty()) pop();
  }
}

// https://html.spec.whatwg.org/#parsing-main-inframeset and the modes after it. Returns false if
// the tag is ignored.
bool ContentModel::takes_in_frameset(const Tag& tag) {
  if (template_depth_ > 0 || !stack_.empty()) return true;
  switch (phase_) {
    case Phase::head:
      if (tag.id == TagId::frameset) {
        phase_ = Phase::frameset;
        frameset_depth_ = 1;
      } else if (!is_before_body(tag.id)) {
        phase_ = Phase::body;
      }
      return true;
    case Phase::body: return true;
    case Phase::frameset:
      if (tag.id == TagId::frameset) ++frameset_depth_;
      return tag.id == TagId::frameset || tag.id == TagId::frame || tag.id == TagId::noframes;
    case Phase::after_frameset: return tag.id == TagId::noframes;
  }
  return true;
}

// https://html.spec.whatwg.org/#parsing-main-inbody: characters other than white space and NUL set
// the frameset-ok flag to "not ok".
void ContentModel::text(std::string_view piece) noexcept {
  if (!wants_text()) return;
  const auto is_nothing = [](char c) { return c == '\0' || is_html_space(c); };
  if (!std::ranges::all_of(piece, is_nothing)) phase_ = Phase::body;
}

void ContentModel::close_frameset() {
  if (phase_ != Phase::frameset || template_depth_ > 0) return;
  if (--frameset_depth_ == 0) phase_ = Phase::after_frameset;
}

bool ContentModel::is_html_content(const Tag& tag) const noexcept {
  if (stack_.empty()) return true;
  const Element& current = stack_.back();
  switch (current.integration) {
    case Integration::html: return true;
    case Integration::math_text: return tag.id != TagId::mglyph && tag.id != TagId::malignmark;
    case Integration::annotation: return tag.id == TagId::svg;
    case Integration::none: break;
  }
  return current.space == Space::html;
}

TextMode ContentModel::open_html(const Tag& tag) {
  if (tag.id == TagId::svg || tag.id == TagId::math) {
    opened_html_ = false;
    if (!tag.self_closing) {
      push(tag.id == TagId::svg ? Space::svg : Space::math, Integration::none, tag);
    }
    return TextMode::data;
  }
  opened_html_ = true;
  if (tag.id == TagId::template_) open_template(tag);
  if (!stack_.empty() && !is_void(tag.id)) push(Space::html, Integration::none, tag);
  return text_mode_of(tag.id);
}

void ContentModel::open_foreign(const Tag& tag) {
  opened_html_ = false;
  if (tag.self_closing) return;
  const Space space = stack_.back().space;
  Integration integration = Integration::none;
  if (space == Space::svg) {
    const bool holds_html =
        tag.id == TagId::foreignobject || tag.id == TagId::desc || tag.id == TagId::title;
    if (holds_html) integration = Integration::html;
  } else if (tag.id == TagId::mi || tag.id == TagId::mo || tag.id == TagId::mn ||
             tag.id == TagId::ms || tag.id == TagId::mtext) {
    integration = Integration::math_text;
  } else if (tag.id == TagId::annotation_xml) {
    const std::string_view encoding = tag.value(AttributeId::encoding);
    const bool holds_html = equals_ignoring_case(encoding, "text/html") ||
                            equals_ignoring_case(encoding, "application/xhtml+xml");
    integration = holds_html ? Integration::html : Integration::annotation;
  }
  push(space, integration, tag);
}

void ContentModel::close(const Tag& tag) {
  mode_ = TextMode::data;
  if (tag.id == TagId::frameset && stack_.empty()) return close_frameset();
  if (beyond_ > 0) {
    --beyond_;
    return;
  }
  if (current_is_foreign() && (tag.id == TagId::p || tag.id == TagId::br)) {
    leave_foreign_elements();
  }
  const std::uint64_t name_hash = tag.id == TagId::other ? base::hash64(tag.name) : 0;
  const auto is_same = [&](const Element& element) {
    return element.id == tag.id && element.name_hash == name_hash;
  };
  const auto found = std::find_if(stack_.rbegin(), stack_.rend(), is_same);
  if (found != stack_.rend()) {
    const std::size_t depth = static_cast<std::size_t>(stack_.rend() - found) - 1;
    while (stack_.size() > depth) pop();
    is_in_doubt_ = false;
    return;
  }
  const auto holds_html = [](const Element& element) {
    return element.integration != Integration::none;
  };
  // The element was opened before the foreign content, or not at all.
  if (tag.id == TagId::template_) {
    while (!stack_.empty()) pop();
    is_in_doubt_ = false;
  } else if (tag.id != TagId::other && !stack_.empty() &&
             !std::ranges::any_of(stack_, holds_html)) {
    is_in_doubt_ = true;
  }
  if (tag.id == TagId::template_) close_template();
}

// https://html.spec.whatwg.org/#attr-template-shadowrootmode
void ContentModel::open_template(const Tag& tag) {
  ++template_depth_;
  const std::string_view mode = tag.value(AttributeId::shadowrootmode);
  const bool is_shown = equals_ignoring_case(mode, "open") || equals_ignoring_case(mode, "closed");
  if (!is_shown && hidden_template_ == 0) hidden_template_ = template_depth_;
}

void ContentModel::close_template() {
  if (template_depth_ == 0) return;
  if (hidden_template_ == template_depth_) hidden_template_ = 0;
  --template_depth_;
}

bool ContentModel::hides_text() const noexcept {
  if (is_in_doubt_ || stack_.empty() || stack_.back().space != Space::svg) return false;
  switch (stack_.back().id) {
    case TagId::text:
    case TagId::tspan:
    case TagId::textpath:
    case TagId::a:
    case TagId::foreignobject: return false;
    default: return true;
  }
}

void ContentModel::push(Space space, Integration integration, const Tag& tag) {
  if (stack_.size() == kDepthMax) {
    ++beyond_;
    return;
  }
  const std::uint64_t name_hash = tag.id == TagId::other ? base::hash64(tag.name) : 0;
  stack_.push_back({space, integration, tag.id, name_hash});
}

void ContentModel::pop() {
  const Element& element = stack_.back();
  if (element.space == Space::html && element.id == TagId::template_) close_template();
  stack_.pop_back();
}

// Closes elements of SVG and MathML up to one that can contain HTML.
void ContentModel::leave_foreign_elements() {
  beyond_ = 0;
  is_in_doubt_ = false;
  while (!stack_.empty() && stack_.back().space != Space::html &&
         (stack_.back().integration == Integration::none ||
          stack_.back().integration == Integration::annotation)) {
    pop();
  }
}

}  // namespace gossamer::html

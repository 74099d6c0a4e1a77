#include "dom/traits.h"

#include <array>

#include "dom/tag_set.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

// clang-format off
// https://html.spec.whatwg.org/#special
constexpr TagSet kSpecial = {
    TagId::address, TagId::applet, TagId::area, TagId::article, TagId::aside, TagId::base,
    TagId::basefont, TagId::bgsound, TagId::blockquote, TagId::body, TagId::br, TagId::button,
    TagId::caption, TagId::center, TagId::col, TagId::colgroup, TagId::dd, TagId::details,
    TagId::dir, TagId::div, TagId::dl, TagId::dt, TagId::embed, TagId::fieldset,
    TagId::figcaption, TagId::figure, TagId::footer, TagId::form, TagId::frame, TagId::frameset,
    TagId::h1, TagId::h2, TagId::h3, TagId::h4, TagId::h5, TagId::h6, TagId::head, TagId::header,
    TagId::hgroup, TagId::hr, TagId::html, TagId::iframe, TagId::img, TagId::input, TagId::keygen,
    TagId::li, TagId::link, TagId::listing, TagId::main, TagId::marquee, TagId::menu, TagId::meta,
    TagId::nav, TagId::noembed, TagId::noframes, TagId::noscript, TagId::object, TagId::ol,
    TagId::p, TagId::param, TagId::plaintext, TagId::pre, TagId::script, TagId::search,
    TagId::section, TagId::select, TagId::source, TagId::style, TagId::summary, TagId::table,
    TagId::tbody, TagId::td, TagId::template_, TagId::textarea, TagId::tfoot, TagId::th,
    TagId::thead, TagId::title, TagId::tr, TagId::track, TagId::ul, TagId::wbr, TagId::xmp};
// https://html.spec.whatwg.org/#has-an-element-in-scope
constexpr TagSet kBarriers = {
    TagId::applet, TagId::caption, TagId::html, TagId::marquee, TagId::object, TagId::select,
    TagId::table, TagId::td, TagId::template_, TagId::th};
// clang-format on
constexpr TagSet kMathText = {TagId::mi, TagId::mo, TagId::mn, TagId::ms, TagId::mtext};
constexpr TagSet kSvgWithHtml = {TagId::foreignobject, TagId::desc, TagId::title};

constexpr std::array<std::uint8_t, 256> kHtmlTraits = [] {
  std::array<std::uint8_t, 256> traits = {};
  for (std::size_t i = 0; i < traits.size(); ++i) {
    const auto tag = static_cast<TagId>(i);
    if (kSpecial.has(tag)) traits[i] |= static_cast<std::uint8_t>(Trait::special);
    if (kBarriers.has(tag)) traits[i] |= static_cast<std::uint8_t>(Trait::barrier);
  }
  return traits;
}();

void set_math_traits(Node& element) noexcept {
  const bool takes_text = kMathText.has(element.tag());
  const bool is_annotation = element.tag() == TagId::annotation_xml;
  if (!takes_text && !is_annotation) return;
  Nodes::set(element, Trait::special);
  Nodes::set(element, Trait::barrier);
  if (takes_text) Nodes::set(element, Trait::takes_text);
  const std::string_view encoding = element.value(AttributeId::encoding);
  if (is_annotation && (html::equals_ignoring_case(encoding, "text/html") ||
                        html::equals_ignoring_case(encoding, "application/xhtml+xml"))) {
    Nodes::set(element, Trait::takes_html);
  }
}

}  // namespace

std::uint8_t html_traits(TagId tag) noexcept { return kHtmlTraits[static_cast<std::size_t>(tag)]; }

void set_foreign_traits(Node& element) noexcept {
  if (element.space() == Space::math) {
    set_math_traits(element);
  } else if (kSvgWithHtml.has(element.tag())) {
    Nodes::set(element, Trait::special);
    Nodes::set(element, Trait::barrier);
    Nodes::set(element, Trait::takes_html);
  }
}

}  // namespace gossamer::dom

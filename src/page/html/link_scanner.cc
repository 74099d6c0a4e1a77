#include "html/link_scanner.h"

#include <array>
#include <cstdint>
#include <iterator>

#include "html/link_list.h"
#include "html/links/css_urls.h"
#include "html/links/data_urls.h"
#include "html/links/refresh.h"
#include "html/links/script_urls.h"
#include "html/links/srcset.h"
#include "html/page_reader.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::html {
namespace {

using enum AttributeId;

// Elements with one link per attribute; the attributes of one element are adjacent.
struct PlainLink {
  TagId tag;
  AttributeId attribute;
  LinkKind kind;
};
constexpr PlainLink kPlainLinks[] = {
    {TagId::img, src, LinkKind::image},          {TagId::img, longdesc, LinkKind::page},
    {TagId::script, src, LinkKind::script},      {TagId::iframe, src, LinkKind::frame},
    {TagId::frame, src, LinkKind::frame},        {TagId::embed, src, LinkKind::media},
    {TagId::object, data, LinkKind::media},      {TagId::source, src, LinkKind::media},
    {TagId::video, src, LinkKind::media},        {TagId::video, poster, LinkKind::image},
    {TagId::audio, src, LinkKind::media},        {TagId::track, src, LinkKind::media},
    {TagId::form, action, LinkKind::form},       {TagId::button, formaction, LinkKind::form},
    {TagId::input, formaction, LinkKind::form},  {TagId::body, background, LinkKind::image},
    {TagId::table, background, LinkKind::image}, {TagId::td, background, LinkKind::image},
    {TagId::th, background, LinkKind::image},    {TagId::blockquote, cite, LinkKind::other},
    {TagId::q, cite, LinkKind::other},           {TagId::del, cite, LinkKind::other},
    {TagId::ins, cite, LinkKind::other},
};

// The same for images and frames that a script loads when they become visible.
constexpr PlainLink kLazyLinks[] = {
    {TagId::img, data_src, LinkKind::image},      {TagId::img, data_lazy_src, LinkKind::image},
    {TagId::img, data_original, LinkKind::image}, {TagId::iframe, data_src, LinkKind::frame},
    {TagId::video, data_src, LinkKind::media},    {TagId::video, data_poster, LinkKind::image},
    {TagId::source, data_src, LinkKind::media},
};
constexpr AttributeSet kLazyAttributes =
    set_of(data_src, data_lazy_src, data_original, data_poster, data_srcset, data_lazy_srcset);
// Any element may have such a background.
constexpr AttributeId kLazyBackgrounds[] = {data_bg, data_background, data_background_image};
constexpr AttributeSet kBackgroundAttributes =
    set_of(data_bg, data_background, data_background_image);

// A template may leave a placeholder: "{{ image }}".
bool is_placeholder(std::string_view address) {
  return address.empty() || address.find_first_of("{}<>") != std::string_view::npos;
}

// Other values name a colour or a class: "dark", "none", "linear-gradient(red, blue)".
bool is_image_address(std::string_view value) {
  return !is_placeholder(value) && value.find_first_of("/.") != std::string_view::npos &&
         value.find_first_of("(), ") == std::string_view::npos;
}

// The range of an element's links in kPlainLinks.
struct Range {
  std::uint8_t begin = 0;
  std::uint8_t end = 0;
};
constexpr auto kPlainRanges = [] {
  std::array<Range, kTagNames.size()> ranges = {};
  for (std::size_t i = std::size(kPlainLinks); i-- > 0;) {
    Range& range = ranges[static_cast<std::size_t>(kPlainLinks[i].tag)];
    if (range.end == 0) range.end = static_cast<std::uint8_t>(i + 1);
    range.begin = static_cast<std::uint8_t>(i);
  }
  return ranges;
}();

// Metadata whose content is a URL.
struct MetaLink {
  std::string_view name;  // of property, name or itemprop
  LinkKind kind;
};
constexpr MetaLink kMetaLinks[] = {
    {"og:image", LinkKind::image},
    {"og:image:url", LinkKind::image},
    {"og:image:secure_url", LinkKind::image},
    {"twitter:image", LinkKind::image},
    {"twitter:image:src", LinkKind::image},
    {"thumbnail", LinkKind::image},
    {"msapplication-tileimage", LinkKind::image},
    {"image", LinkKind::image},
    {"og:video", LinkKind::media},
    {"og:video:url", LinkKind::media},
    {"og:video:secure_url", LinkKind::media},
    {"og:audio", LinkKind::media},
    {"og:audio:url", LinkKind::media},
    {"og:audio:secure_url", LinkKind::media},
    {"twitter:player", LinkKind::frame},
    {"og:url", LinkKind::canonical},
    {"twitter:url", LinkKind::canonical},
};

}  // namespace

void LinkScanner::add_interest(const LinkOptions& options, Interest& interest) {
  for (const PlainLink& link : kPlainLinks) {
    interest[link.tag].attributes |= set_of(link.attribute);
  }
  interest[TagId::a].attributes |= set_of(href, rel);
  interest[TagId::area].attributes |= set_of(href, rel);
  interest[TagId::base].attributes |= set_of(href);
  interest[TagId::link].attributes |= set_of(href, rel, imagesrcset);
  interest[TagId::img].attributes |= set_of(src, AttributeId::srcset);
  interest[TagId::image].attributes |= set_of(src, AttributeId::srcset, longdesc);
  interest[TagId::source].attributes |= set_of(AttributeId::srcset);
  interest[TagId::input].attributes |= set_of(src, type);
  interest[TagId::meta].attributes |=
      set_of(http_equiv, content, property, AttributeId::name, itemprop);
  for (const PlainLink& link : kLazyLinks) {
    interest[link.tag].attributes |= set_of(link.attribute);
  }
  for (const TagId id : {TagId::img, TagId::source}) {
    interest[id].attributes |= set_of(data_srcset, data_lazy_srcset);
  }
  interest[TagId::iframe].attributes |= set_of(srcdoc);
  interest[TagId::script].attributes |= set_of(type);
  for (Interest::OfTag& tag : interest.tags) {
    tag.attributes |= kBackgroundAttributes;
    if (options.css) tag.attributes |= set_of(style);
  }
  if (options.anchor_text) interest[TagId::a].start = interest[TagId::a].end = true;
}

void LinkScanner::add_foreign_interest(const LinkOptions& options, Interest& interest) {
  for (Interest::OfTag& tag : interest.tags) {
    tag.attributes |= set_of(href, xlink_href, src);
    if (options.css) tag.attributes |= set_of(style);
  }
}

void LinkScanner::start_tag(const Tag& tag, bool is_html) {
  is_foreign_ = !is_html;
  if (is_html) {
    html_links(tag);
    lazy_links(tag);
  } else {
    foreign_links(tag);
  }
  if (const std::string_view* value = tag.find(style); value != nullptr && options_.css) {
    css(*value, tag.id, style);
  }
}

void LinkScanner::end_tag(const Tag& tag) {
  if (tag.id == TagId::a) end_anchor();
}

void LinkScanner::html_links(const Tag& tag) {
  switch (tag.id) {
    case TagId::a:
    case TagId::area: anchor(tag); return;
    case TagId::base:
      if (const std::string_view* value = tag.find(href); value != nullptr && !has_base_) {
        has_base_ = true;
        consumer_.base(*value);
      }
      return;
    case TagId::link: link_element(tag); return;
    case TagId::meta: meta(tag); return;
    case TagId::image: {
      // The standard says of <image>: change the name to "img". (Don't ask.)
      Tag img = tag;
      img.id = TagId::img;
      html_links(img);
      return;
    }
    case TagId::input:
      if (equals_ignoring_case(tag.value(type), "image")) attribute(tag, src, LinkKind::image);
      break;
    default: break;
  }
  const Range range = kPlainRanges[static_cast<std::size_t>(tag.id)];
  for (std::size_t i = range.begin; i < range.end; ++i) {
    attribute(tag, kPlainLinks[i].attribute, kPlainLinks[i].kind);
  }
  if (tag.id == TagId::img || tag.id == TagId::source) srcset(tag, AttributeId::srcset);
}

void LinkScanner::lazy_links(const Tag& tag) {
  AttributeSet present = 0;
  for (const Attribute& one : tag.attributes) present |= set_of(one.id);
  if ((present & kLazyAttributes) != 0) {
    for (const PlainLink& link : kLazyLinks) {
      if (link.tag == tag.id && !is_placeholder(tag.value(link.attribute))) {
        attribute(tag, link.attribute, link.kind);
      }
    }
    srcset(tag, data_srcset);
    srcset(tag, data_lazy_srcset);
  }
  if ((present & kBackgroundAttributes) != 0) {
    for (const AttributeId id : kLazyBackgrounds) {
      const std::string_view value = tag.value(id);
      if (CssUrls::may_have_urls(value)) {
        css(value, tag.id, id);
      } else if (is_image_address(value)) {
        attribute(tag, id, LinkKind::image);
      }
    }
  }
  if (tag.id == TagId::iframe && contains(present, srcdoc)) embedded_page(tag.value(srcdoc));
}

// The links of a page inside an attribute belong to that attribute. A page inside a page inside a
// page is not read.
void LinkScanner::embedded_page(std::string_view page) {
  if (!options_.srcdoc) return;
  LinkOptions inner = options_;
  inner.srcdoc = inner.anchor_text = false;
  LinkList links;
  PageReader reader({.link_options = inner}, links);
  reader.feed(page);
  reader.finish();
  if (links.base()) return;  // its links are relative to another URL
  for (std::size_t i = 0; i < links.size(); ++i) {
    Link link = links[i].link;
    link.tag = TagId::iframe;
    link.attribute = srcdoc;
    emit(link);
  }
}

// In SVG, <a> leads to another page; the other elements refer to images or, mostly, to parts of the
// page itself.
void LinkScanner::foreign_links(const Tag& tag) {
  if (tag.id == TagId::a) {
    anchor(tag);
    return;
  }
  const LinkKind kind = tag.id == TagId::script ? LinkKind::script : LinkKind::image;
  attribute(tag, href, kind);
  if (tag.find(href) == nullptr) attribute(tag, xlink_href, kind);
}

void LinkScanner::anchor(const Tag& tag) {
  if (tag.id == TagId::a) end_anchor();
  const std::string_view* address = tag.find(href);
  if (address == nullptr && is_foreign_) address = tag.find(xlink_href);
  if (address == nullptr) return;
  const std::string_view rel_text = tag.value(rel);
  emit({.kind = LinkKind::page,
        .tag = tag.id,
        .attribute = address == tag.find(href) ? href : xlink_href,
        .rel = rel_text.empty() ? RelSet() : parse_rel(rel_text),
        .rel_text = rel_text,
        .url = *address});
  in_anchor_ = options_.anchor_text && tag.id == TagId::a;
}

void LinkScanner::link_element(const Tag& tag) {
  const std::string_view rel_text = tag.value(rel);
  const RelSet words = parse_rel(rel_text);
  if (const std::string_view* address = tag.find(href)) {
    emit({.kind = kind_of_rel(words),
          .tag = tag.id,
          .attribute = href,
          .rel = words,
          .rel_text = rel_text,
          .url = *address});
  }
  srcset(tag, imagesrcset);
}

void LinkScanner::meta(const Tag& tag) {
  const std::string_view value = tag.value(content);
  if (equals_ignoring_case(trimmed(tag.value(http_equiv)), "refresh")) {
    const auto refresh = parse_refresh(value);
    if (refresh && refresh->url) {
      emit({.kind = LinkKind::refresh, .tag = tag.id, .attribute = content, .url = *refresh->url});
    }
    return;
  }
  if (value.empty()) return;
  for (const AttributeId id : {property, AttributeId::name, itemprop}) {
    const std::string_view meta_name = trimmed(tag.value(id));
    for (const MetaLink& known : kMetaLinks) {
      if (equals_ignoring_case(meta_name, known.name)) {
        emit({.kind = known.kind, .tag = tag.id, .attribute = content, .url = value});
        return;
      }
    }
  }
}

void LinkScanner::attribute(const Tag& tag, AttributeId id, LinkKind kind) {
  if (const std::string_view* address = tag.find(id)) {
    emit({.kind = kind, .tag = tag.id, .attribute = id, .url = *address});
  }
}

void LinkScanner::srcset(const Tag& tag, AttributeId id) {
  const std::string_view* const value = tag.find(id);
  if (value == nullptr) return;
  for (const ImageCandidate& candidate : parse_srcset(*value)) {
    emit({.kind = LinkKind::image, .tag = tag.id, .attribute = id, .url = candidate.url});
  }
}

void LinkScanner::css(std::string_view text, TagId tag, AttributeId attribute) {
  if (!CssUrls::may_have_urls(text)) return;
  CssUrls urls(text);
  while (urls.next()) {
    emit({.kind = urls.is_import() ? LinkKind::style : LinkKind::asset,
          .tag = tag,
          .attribute = attribute,
          .url = urls.url()});
  }
}

void LinkScanner::style_text(std::string_view text) {
  if (options_.css) css(text, TagId::style, AttributeId::other);
}

void LinkScanner::script_text(std::string_view script) {
  if (!options_.scripts) return;
  ScriptUrls urls(script);
  while (urls.next()) emit({.kind = LinkKind::other, .tag = TagId::script, .url = urls.url()});
}

void LinkScanner::data_text(std::string_view data) {
  for (const std::string& url : data_urls(data)) {
    emit({.kind = LinkKind::data, .tag = TagId::script, .url = url});
  }
}

void LinkScanner::emit(const Link& link) {
  if (link.url.size() > options_.url_bytes_max) return;
  Link complete = link;
  complete.is_foreign = is_foreign_;
  consumer_.link(complete);
}

void LinkScanner::text(std::string_view piece) {
  // One byte more than the limit, so that a cut inside a character can be detected.
  if (anchor_text_.size() <= options_.anchor_text_bytes_max) append_collapsed(anchor_text_, piece);
}

void LinkScanner::end_anchor() {
  if (!in_anchor_) return;
  in_anchor_ = false;
  cut_utf8(anchor_text_, options_.anchor_text_bytes_max);
  consumer_.anchor_text(trimmed(anchor_text_));
  anchor_text_.clear();
}

}  // namespace gossamer::html

#include "html/xml_reader.h"

#include <optional>

#include "html/token/ascii.h"
#include "html/token/character_reference.h"

namespace gossamer::html {
namespace {

using enum AttributeId;

constexpr Interest kXmlInterest = [] {
  Interest interest;
  for (Interest::OfTag& tag : interest.tags) {
    tag = {set_of(href, src, url, xlink_href, rel, type, xml_base, ispermalink), true, true};
  }
  interest.comments = true;
  return interest;
}();

TagId local_id(std::string_view tag_name) noexcept {
  const std::size_t colon = tag_name.rfind(':');
  return tag_id(colon == std::string_view::npos ? tag_name : tag_name.substr(colon + 1));
}

// Elements of feeds whose text is a URL.
std::optional<LinkKind> kind_of_text(TagId id) noexcept {
  switch (id) {
    case TagId::link:
    case TagId::guid:
    case TagId::comments:
    case TagId::docs:
    case TagId::uri:
    case TagId::loc: return LinkKind::page;
    case TagId::url:
    case TagId::icon:
    case TagId::logo: return LinkKind::image;
    default: return std::nullopt;
  }
}

bool is_absolute_http(std::string_view text) noexcept {
  if (!starts_ignoring_case(text, "http://") && !starts_ignoring_case(text, "https://")) {
    return false;
  }
  for (const char c : text) {
    if (is_html_space(c) || c == '<' || c == '>' || c == '"') return false;
  }
  return true;
}

// Returns the value of a pseudo-attribute of a processing instruction: href="...".
std::string_view pseudo_attribute(std::string_view data, std::string_view attribute) noexcept {
  for (std::size_t at = data.find(attribute); at != std::string_view::npos;
       at = data.find(attribute, at + 1)) {
    std::string_view rest = trimmed(data.substr(at + attribute.size()));
    if (at == 0 || !is_html_space(data[at - 1]) || !rest.starts_with('=')) continue;
    rest = trimmed(rest.substr(1));
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) continue;
    const std::size_t close = rest.find(rest.front(), 1);
    if (close != std::string_view::npos) return rest.substr(1, close - 1);
  }
  return {};
}

}  // namespace

XmlSink::XmlSink(PageConsumer& consumer) : TokenSink(kXmlInterest), consumer_(consumer) {
  wants_text_ = true;
}

TextMode XmlSink::tag(const Tag& tag) {
  const TagId id = local_id(tag.name);
  if (tag.is_end) {
    end_tag(id);
  } else {
    start_tag(id, tag);
  }
  return TextMode::data;
}

void XmlSink::start_tag(TagId id, const Tag& tag) {
  if (form_ == Form::unknown) {
    const bool is_feed = id == TagId::rss || id == TagId::feed || id == TagId::rdf;
    form_ = is_feed ? Form::feed : Form::other;
  }
  if (const std::string_view* value = tag.find(xml_base); value != nullptr && !has_base_) {
    has_base_ = true;
    consumer_.base(*value);
  }
  text_.clear();
  is_leaf_ = !tag.self_closing;
  address_kind_ = kind_of_text(id);
  if (equals_ignoring_case(trimmed(tag.value(ispermalink)), "false")) address_kind_.reset();
  const std::string_view* address = tag.find(href);
  if (address == nullptr) address = tag.find(xlink_href);
  if (id == TagId::link && address != nullptr) {
    feed_link(tag, *address);
    return;
  }
  const bool is_image = id == TagId::image || tag.name.ends_with("thumbnail");
  const LinkKind kind = is_image ? LinkKind::image : LinkKind::page;
  if (address != nullptr) emit(kind, id, href, *address);
  if (const std::string_view* value = tag.find(src)) {
    emit(id == TagId::content ? LinkKind::page : LinkKind::media, id, src, *value);
  }
  // <enclosure url>, <media:content url>, <media:thumbnail url>
  if (const std::string_view* value = tag.find(AttributeId::url); value && form_ == Form::feed) {
    emit(is_image ? LinkKind::image : LinkKind::media, id, AttributeId::url, *value);
  }
}

// In Atom, the alternate link of an entry is the page that it describes.
void XmlSink::feed_link(const Tag& tag, std::string_view address) {
  const std::string_view rel_text = trimmed(tag.value(rel));
  const RelSet words = parse_rel(rel_text);
  LinkKind kind = LinkKind::page;
  if (equals_ignoring_case(rel_text, "self")) kind = LinkKind::alternate;
  if (equals_ignoring_case(rel_text, "enclosure")) kind = LinkKind::media;
  if (equals_ignoring_case(rel_text, "hub") || equals_ignoring_case(rel_text, "edit")) {
    kind = LinkKind::other;
  }
  if (words.has(Rel::next)) kind = LinkKind::next;
  if (words.has(Rel::prev)) kind = LinkKind::prev;
  emit(kind, TagId::link, href, address, rel_text);
}

void XmlSink::end_tag(TagId id) {
  const std::string_view content = trimmed(text_);
  if (is_leaf_ && !content.empty() && text_.size() <= kTextBytesMax) {
    if (address_kind_) {
      emit(*address_kind_, id, AttributeId::other, content);
    } else if (form_ == Form::other && is_absolute_http(content)) {
      emit(LinkKind::page, id, AttributeId::other, content);
    }
  }
  is_leaf_ = false;
  text_.clear();
}

void XmlSink::text(std::string_view piece) {
  if (is_leaf_ && text_.size() <= kTextBytesMax) text_.append(piece.substr(0, kTextBytesMax + 1));
}

// The tokenizer reports processing instructions as comments.
void XmlSink::comment(std::string_view data) {
  if (!data.starts_with("?xml-stylesheet")) return;
  std::string address;
  append_decoded(pseudo_attribute(data, "href"), true, address);
  if (!address.empty()) emit(LinkKind::style, TagId::link, href, address);
}

void XmlSink::emit(LinkKind kind, TagId id, AttributeId attribute, std::string_view url,
                   std::string_view rel_text) {
  consumer_.link({.kind = kind,
                  .tag = id,
                  .attribute = attribute,
                  .rel = parse_rel(rel_text),
                  .rel_text = rel_text,
                  .url = url});
}

}  // namespace gossamer::html

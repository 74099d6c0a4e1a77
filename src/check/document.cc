#include "check/document.h"

#include <algorithm>

#include "base/ascii.h"
#include "check/id_sink.h"
#include "check/place_collector.h"
#include "html/page_reader.h"
#include "html/resource_reader.h"
#include "html/tokenizer.h"
#include "html/xml_reader.h"

namespace gossamer::check {
namespace {

// Feeds a text tag by tag, each with the text behind it, and tells the collector where we are.
template <class Feed>
void feed_by_tags(std::string_view text, PlaceCollector& places, Feed feed) {
  std::size_t before = 0;  // the piece before this one
  std::size_t style = std::string_view::npos;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('<', begin + 1), text.size());
    const std::string_view piece = text.substr(begin, end - begin);
    // What an element holds is known to be an address at its end only.
    const bool is_end = piece.starts_with("</");
    std::size_t look_from = is_end ? before : begin;
    if (base::equals_ignoring_case(piece.substr(0, 6), "<style")) style = begin;
    if (base::equals_ignoring_case(piece.substr(0, 7), "</style")) {
      look_from = std::min(style, look_from);
      style = std::string_view::npos;
    }
    places.look_within(look_from, end);
    feed(piece);
    before = begin;
    begin = end;
  }
}

}  // namespace

bool is_checked(const html::Link& link) noexcept {
  switch (link.kind) {
    case html::LinkKind::form:
    case html::LinkKind::other: return false;
    case html::LinkKind::preload:
      return !link.rel.has(html::Rel::preconnect) && !link.rel.has(html::Rel::dns_prefetch);
    default: return true;
  }
}

Document read_html(std::string_view text) {
  Document document;
  PlaceCollector places(text, document);
  html::PageReader reader({}, places);
  IdSink ids(document.ids, kIdsMax);
  html::Tokenizer<IdSink> id_reader(ids);
  feed_by_tags(text, places, [&](std::string_view piece) {
    reader.feed(piece);
    id_reader.feed(piece);
  });
  reader.finish();
  id_reader.finish();
  return document;
}

Document read_xml(std::string_view text) {
  Document document;
  PlaceCollector places(text, document);
  html::XmlReader reader(places);
  feed_by_tags(text, places, [&reader](std::string_view piece) { reader.feed(piece); });
  reader.finish();
  return document;
}

Document read_css(std::string_view text) {
  Document document;
  PlaceCollector places(text, document);
  places.look_within(0, text.size());
  html::CssReader reader(places);
  reader.feed(text);
  reader.finish();
  return document;
}

Document read_url_list(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  Document document;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view url = text.substr(at, end - at);
    at = end + 1;
    const std::size_t first = url.find_first_not_of(kBlank);
    if (first == std::string_view::npos || url[first] == '#') continue;
    url = url.substr(first, url.find_last_not_of(kBlank) + 1 - first);
    if (document.links.size() >= kLinksMax) {
      ++document.links_left_out;
      continue;
    }
    document.links.push_back({.at = {line, static_cast<std::uint32_t>(first + 1)},
                              .kind = html::LinkKind::page,
                              .url = std::string(url),
                              .text = {}});
  }
  return document;
}

}  // namespace gossamer::check

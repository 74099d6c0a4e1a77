#include "content/page_notes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

using html::AttributeId;
using html::TagId;

void note_type(std::string_view type, PageNotes& notes) {
  const std::size_t slash = type.find_last_of("/#:");
  if (slash != std::string_view::npos) type.remove_prefix(slash + 1);
  const auto is_any = [type](auto... words) { return (type.contains(words) || ...); };
  if (is_any("Discussion", "Question", "QAPage", "Answer", "Comment", "SocialMediaPosting")) {
    ++notes.threads;
  } else if (is_any("Article", "BlogPosting", "Report", "Recipe")) {
    ++notes.articles;
  } else if (is_any("Product", "Offer")) {
    ++notes.products;
  } else if (is_any("ItemList", "Collection", "OfferCatalog", "SearchResults")) {
    ++notes.lists;
  } else if (is_any("Service", "SoftwareApplication", "LocalBusiness", "FAQPage")) {
    ++notes.companies;
  }
}

// Finds "@type": "..." without reading the rest.
void note_types_in(std::string_view json, PageNotes& notes) {
  constexpr std::size_t kTypesMax = 1000;
  constexpr std::string_view kKey = "\"@type\"";
  for (std::size_t i = 0, at = json.find(kKey); i < kTypesMax && at != std::string_view::npos;
       ++i, at = json.find(kKey, at)) {
    at += kKey.size();
    const std::size_t begin = json.find('"', at);
    if (begin == std::string_view::npos || begin > at + 8) continue;
    const std::size_t end = json.find('"', begin + 1);
    if (end == std::string_view::npos) return;
    note_type(json.substr(begin + 1, std::min<std::size_t>(end - begin - 1, 100)), notes);
    at = end;
  }
}

void note_address(std::string_view url, PageNotes& notes) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t host = url.find("//");
  if (host == std::string_view::npos) return;
  const std::size_t path = url.find('/', host + 2);
  notes.path_segments = 0;
  notes.path_hyphens = 0;
  if (path == std::string_view::npos) return;
  bool is_open = false;
  for (const char c : url.substr(path)) {
    if (c == '/') {
      is_open = false;
      continue;
    }
    if (!is_open) {
      ++notes.path_segments;
      notes.path_hyphens = 0;
    }
    is_open = true;
    notes.path_hyphens += c == '-' || c == '_' ? 1 : 0;
  }
  notes.path_segments = std::min(notes.path_segments, 8U);
}

void note_meta(const dom::Node& meta, PageNotes& notes) {
  const std::string_view property = meta.value(AttributeId::property);
  const std::string_view content = html::trimmed(meta.value(AttributeId::content));
  if (property == "og:type") {
    notes.og_article = content.contains("article") ? 1 : 0;
    notes.og_product = content.contains("product") ? 1 : 0;
    notes.og_website = content == "website" ? 1 : 0;
  } else if (property == "og:url" && notes.path_segments == 9) {
    note_address(content, notes);
  }
}

}  // namespace

PageNotes page_notes(const dom::Document& document) {
  PageNotes notes;
  const dom::Node& root = document.root();
  for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
    if (!node->is_element()) continue;
    if (node->is(TagId::meta)) {
      note_meta(*node, notes);
    } else if (node->is(TagId::link)) {
      if (node->value(AttributeId::rel) == "canonical") {
        note_address(html::trimmed(node->value(AttributeId::href)), notes);
      }
    } else if (node->is(TagId::script)) {
      if (!node->value(AttributeId::type).contains("ld+json")) continue;
      const dom::Node* const text = node->first_child();
      if (text != nullptr && text->is_text()) note_types_in(text->text(), notes);
    } else if (node->tag() == TagId::other && node->name() == "time") {
      ++notes.times;
    }
    for (const dom::Attribute& attribute : node->attributes()) {
      if (attribute.id() != AttributeId::other || attribute.name() != "itemtype") continue;
      note_type(attribute.value().substr(0, 100), notes);
    }
  }
  return notes;
}

}  // namespace gossamer::content

#include "bindings/python/page_content.h"

#include <cstddef>
#include <unordered_set>

#include "content/content_text.h"
#include "content/element_text.h"
#include "content/extractor.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/parse.h"
#include "dom/selector.h"
#include "html/encoding/encoder.h"
#include "html/encoding/stream.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "url/url.h"

namespace gossamer::python {
namespace {

// BOUND: the work of taking texts out of a tree.
constexpr std::size_t kTextWorkMax = 64 * 1024 * 1024;

FoundElement found_element(const dom::Node& node, std::size_t& work) {
  FoundElement found = {.name = std::string(node.name())};
  found.text = content::element_text(node, content::kExtractBytesMax, work).text;
  for (const dom::Attribute& attribute : node.attributes()) {
    found.attributes.emplace_back(attribute.name(), attribute.value());
  }
  return found;
}

}  // namespace

bool PageContent::is_html() const {
  const std::string& type = page_.type();
  return type.empty() || type == "text/html" || type == "application/xhtml+xml";
}

// The record has the encoding that the crawl has found, or the one of the header.
html::Encoding PageContent::encoding() const {
  return html::encoding_from_label(page_.record().charset).value_or(html::Encoding::utf_8);
}

std::string PageContent::text() const {
  html::SniffOptions options = {.kind = html::DocumentKind::html,
                                .transport = html::encoding_from_label(page_.record().charset)};
  if (!is_html()) options.kind = html::DocumentKind::text;
  html::DecodingStream stream(options);
  std::string scratch;
  std::string text(stream.decode(page_.body(), scratch));
  text += stream.finish(scratch);
  return text;
}

std::vector<std::string> PageContent::links() const {
  std::vector<std::string> urls;
  const auto document = url::Url::parse(page_.url());
  if (!is_html() || !document) return urls;
  html::LinkList links;
  html::PageReader reader({}, links);
  reader.feed(text());
  reader.finish();
  const url::Url base = html::document_base(*document, links.base());
  html::Encoder encoder(encoding());
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const html::Link link = links[i].link;
    if (link.kind != html::LinkKind::page) continue;
    const auto url = url::Url::parse(link.url, &base, &encoder);
    if (!url || !known.emplace(url->href()).second) continue;
    urls.emplace_back(url->href());
  }
  return urls;
}

const dom::Document& PageContent::document() {
  if (!tree_) {
    decoded_ = text();
    tree_ = dom::parse(*decoded_, {.nodes_max = content::kExtractNodesMax});
  }
  return *tree_;
}

std::string PageContent::main_text() {
  if (!is_html()) return {};
  const std::scoped_lock lock(mutex_);
  return content::to_text(content::find_main_content(document()), page_.body().size());
}

std::string PageContent::markdown() {
  if (!is_html()) return {};
  const std::scoped_lock lock(mutex_);
  const auto url = url::Url::parse(page_.url());
  const content::PagePlace place = {.url = url ? &*url : nullptr, .encoding = encoding()};
  return content::to_markdown(content::find_main_content(document()), document(), {.place = place});
}

Result<std::vector<FoundElement>> PageContent::select(std::string_view selector) {
  const auto compiled = dom::Selector::compile(selector);
  if (!compiled) return fail(compiled.error().copy());
  std::vector<FoundElement> elements;
  if (!is_html()) return elements;
  const std::scoped_lock lock(mutex_);
  const dom::Selector::Found found = compiled->find_all(document());
  if (!found.is_complete) return fail(Errc::over_limit, "the selector takes too long on this page");
  std::size_t work = kTextWorkMax;
  for (const dom::Node* const node : found.elements) elements.push_back(found_element(*node, work));
  return elements;
}

}  // namespace gossamer::python

#include "bindings/python/page_content.h"

#include <cstddef>

#include "content/content_text.h"
#include "content/element_text.h"
#include "content/extractor.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/markup.h"
#include "dom/parse.h"
#include "dom/query.h"
#include "html/encoding/stream.h"
#include "html/page_reader.h"
#include "html/resolved_links.h"
#include "url/url.h"

namespace gossamer::python {
namespace {

// BOUND: the work of taking texts out of a tree.
constexpr std::size_t kTextWorkMax = 64 * 1024 * 1024;

}  // namespace

bool PageContent::is_html() const {
  const std::string& type = page_.type();
  return type.empty() || type == "text/html" || type == "application/xhtml+xml";
}

// The record has the encoding that the crawl has found, or the one of the header.
html::Encoding PageContent::encoding() const {
  return html::encoding_from_label(page_.record().charset).value_or(html::Encoding::utf_8);
}

content::PagePlace PageContent::place(const Result<url::Url>& url) const {
  return {.url = url ? &*url : nullptr, .encoding = encoding()};
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

std::vector<crawler::PageLink> PageContent::links() const {
  std::vector<crawler::PageLink> found;
  const auto document = url::Url::parse(page_.url());
  if (!is_html() || !document) return found;
  html::LinkList list;
  html::PageReader reader({}, list);
  reader.feed(text());
  reader.finish();
  html::ResolvedLinks links(list, *document, encoding());
  while (links.next()) {
    const auto& [link, text] = links.entry();
    if (links.url() == nullptr) continue;
    found.push_back({.url = links.url()->href(),
                     .kind = html::name(link.kind),
                     .text = std::string(text),
                     .rel = std::string(link.rel_text)});
  }
  return found;
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
  return content::to_markdown(content::find_main_content(document()), document(),
                              {.place = place(url)});
}

Result<std::vector<const dom::Node*>> PageContent::select(std::string_view selector,
                                                          const dom::Node* from) {
  const auto query = dom::Query::compile(selector);
  if (!query) return fail(query.error().copy());
  if (!is_html()) return std::vector<const dom::Node*>();
  const std::scoped_lock lock(mutex_);
  dom::Query::Found found =
      query->find_all(document(), from == nullptr ? document().root() : *from);
  if (!found.is_complete) return fail(Errc::over_limit, "the selector takes too long on this page");
  return std::move(found.elements);
}

std::string PageContent::text_of(const dom::Node& element) const {
  std::size_t work = kTextWorkMax;
  return content::element_text(element, content::kExtractBytesMax, work).text;
}

std::string PageContent::html_of(const dom::Node& element) const { return dom::to_html(element); }

std::string PageContent::markdown_of(const dom::Node& element) const {
  const auto url = url::Url::parse(page_.url());
  return content::to_markdown(element, *tree_, {.place = place(url)});
}

}  // namespace gossamer::python

// What a page says, taken from its body on request.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "content/page_links.h"
#include "dom/document.h"
#include "html/encoding/encoding.h"
#include "record/record.h"
#include "run/page_stream.h"
#include "url/url.h"

namespace gossamer::python {

// The text of a page and its tree, made when they are first used. Any thread may call all of it.
class PageContent {
 public:
  // BORROWS: the page.
  explicit PageContent(const run::Page& page) noexcept : page_(page) {}

  // The body as UTF-8.
  std::string text() const;
  // Its links in their order, with repetitions. Empty if it is not HTML.
  std::vector<crawler::PageLink> links() const;
  // The main text, without navigation, as plain text or as Markdown. Empty if it is not HTML.
  std::string main_text();
  std::string markdown();
  // Finds elements below `from`, or of the whole page if it is nullptr (dom/query.h). Fails with
  // Errc::malformed or Errc::over_limit.
  Result<std::vector<const dom::Node*>> select(std::string_view selector, const dom::Node* from);
  // Of an element that select() found: what a reader sees, all of it, and the former as Markdown.
  std::string text_of(const dom::Node& element) const;
  std::string html_of(const dom::Node& element) const;
  std::string markdown_of(const dom::Node& element) const;

 private:
  bool is_html() const;
  html::Encoding encoding() const;
  // BORROWS: the URL.
  content::PagePlace place(const Result<url::Url>& url) const;
  // REQUIRES: the mutex is held.
  const dom::Document& document();

  const run::Page& page_;
  std::mutex mutex_;
  std::optional<std::string> decoded_;  // BORROWED by the tree
  std::optional<dom::Document> tree_;
};

}  // namespace gossamer::python

// What a page says, taken from its body on request.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dom/document.h"
#include "html/encoding/encoding.h"
#include "run/page_stream.h"

namespace gossamer::python {

// An element that a selector found.
struct FoundElement {
  std::string name;
  std::string text;  // as a reader sees it
  std::vector<std::pair<std::string, std::string>> attributes;
};

// The text of a page and its tree, made when they are first used. Any thread may call all of it.
class PageContent {
 public:
  // BORROWS: the page.
  explicit PageContent(const run::Page& page) noexcept : page_(page) {}

  // The body as UTF-8.
  std::string text() const;
  // The URLs that the page links to, absolute, each once, in their order. Empty if it is not HTML.
  std::vector<std::string> links() const;
  // The main text, without navigation, as plain text or as Markdown. Empty if it is not HTML.
  std::string main_text();
  std::string markdown();
  // Fails with Errc::malformed or Errc::over_limit.
  Result<std::vector<FoundElement>> select(std::string_view selector);

 private:
  bool is_html() const;
  html::Encoding encoding() const;
  // REQUIRES: the mutex is held.
  const dom::Document& document();

  const run::Page& page_;
  std::mutex mutex_;
  std::optional<std::string> decoded_;  // BORROWED by the tree
  std::optional<dom::Document> tree_;
};

}  // namespace gossamer::python

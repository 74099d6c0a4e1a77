// Receives the findings of a page while it is read.
#pragma once

#include <string_view>

#include "html/links/link.h"

namespace gossamer::html {

// BORROWS: all views are valid during the call.
class PageConsumer {
 public:
  virtual ~PageConsumer() = default;

  // A link, in document order.
  virtual void link(const Link& /*link*/) {}
  // The text of the last <a>, with collapsed white space. Called at the end of the element.
  virtual void anchor_text(std::string_view /*text*/) {}
  // The first <base href>. It applies to the whole document, also to links before it.
  virtual void base(std::string_view /*href*/) {}
  // Visible text, in pieces: words separated by one space, blocks by a line feed, cells by a tab.
  virtual void text(std::string_view /*piece*/) {}
};

}  // namespace gossamer::html

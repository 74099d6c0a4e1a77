// Who receives what is found in a page, while it is being read.
#pragma once

#include <string_view>

#include "html/links/link.h"

namespace gossamer::html {

// BORROWS: all views end with the call.
class PageConsumer {
 public:
  virtual ~PageConsumer() = default;

  // A link, in document order.
  virtual void link(const Link& /*link*/) {}
  // The text of the <a> whose link came last, white space collapsed. Comes where the element ends.
  virtual void anchor_text(std::string_view /*text*/) {}
  // The first <base href>. It holds for the whole document, also for links that came before.
  virtual void base(std::string_view /*href*/) {}
  // Visible text, in pieces: words one space apart, blocks one line feed apart, cells a tab.
  virtual void text(std::string_view /*piece*/) {}
};

}  // namespace gossamer::html

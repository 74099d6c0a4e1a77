// Resolves the links of one page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dom/document.h"
#include "html/encoding/encoder.h"
#include "html/encoding/encoding.h"
#include "url/url.h"

namespace gossamer::content {

// The address of a page. BORROWS: the URL.
struct PagePlace {
  const url::Url* url = nullptr;  // nullptr: unknown
  html::Encoding encoding = html::Encoding::utf_8;
};

// Looks for the <base> of the page when the first link comes. BORROWS: the document.
class PageLinks {
 public:
  PageLinks(const dom::Document& document, const PagePlace& place)
      : document_(document), place_(place), encoder_(place.encoding) {}

  // Returns nullptr if it is not a URL. BORROWS: until the next call.
  const url::Url* resolve(std::string_view reference);
  // Returns the URL of the page itself; empty: it is unknown.
  std::string_view page_url() const noexcept {
    return place_.url == nullptr ? std::string_view() : place_.url->href();
  }

 private:
  url::Url find_base() const;

  const dom::Document& document_;
  const PagePlace place_;
  html::Encoder encoder_;
  std::optional<url::Url> base_;
  url::Url url_;
};

}  // namespace gossamer::content

// Documents for a copy of a site: the same, but their links lead to copies where there are some,
// and to the web where there are none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/encoding.h"
#include "mirror/pages.h"
#include "url/url.h"

namespace gossamer::mirror {

// BORROWS: all of it.
struct Document {
  const url::Url& url;
  std::string_view name;  // of its copy
  // What the server said, or what is known otherwise.
  std::optional<html::Encoding> encoding = {};
};

// Both take the document as it came and give it in UTF-8, with a byte order mark where a browser
// that sees the file alone would take it for something else. What is broken stays broken.
//
// In HTML: attributes with addresses, srcset, <meta http-equiv=refresh>, style attributes and
// <style>; <base href> loses its effect, and `integrity` and `crossorigin` go where a link now
// leads to a copy, since browsers would refuse that. What stands in templates and scripts stays.
std::string rewrite_html(std::string_view bytes, const Document& document, const Pages& pages);
std::string rewrite_css(std::string_view bytes, const Document& document, const Pages& pages);

}  // namespace gossamer::mirror

// Rewrites documents for a copy of a site: their links lead where LinkTargets says, for a copy of
// files to other copies where those exist, and to the web otherwise.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/encoding.h"
#include "mirror/link_targets.h"
#include "mirror/pages.h"
#include "url/url.h"

namespace gossamer::mirror {

// BORROWS: all of it.
struct Document {
  const url::Url& url;
  std::string_view name = {};  // of its copy
  // From the server or another source.
  std::optional<html::Encoding> encoding = {};
};

// Both take the document as received and return it in UTF-8, with a byte order mark if a browser
// that opens the file alone would guess another encoding. Invalid markup is copied unchanged.
//
// In HTML they rewrite attributes with URLs, srcset, <meta http-equiv=refresh>, style attributes
// and <style>. <base href> loses its effect. `integrity` and `crossorigin` are removed where a link
// now leads to a copy, since browsers would reject it. Templates and scripts are not changed.
std::string rewrite_html(std::string_view bytes, const Document& document, const Pages& pages);
std::string rewrite_css(std::string_view bytes, const Document& document, const Pages& pages);
// Other JSON than manifests of applications stays as it is.
std::string rewrite_manifest(std::string_view bytes, const Document& document, const Pages& pages);

// The same with other targets; the document needs no name.
std::string rewrite_html(std::string_view bytes, const Document& document,
                         const LinkTargets& targets);
std::string rewrite_css(std::string_view bytes, const Document& document,
                        const LinkTargets& targets);

}  // namespace gossamer::mirror

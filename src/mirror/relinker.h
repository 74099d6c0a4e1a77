#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/encoder.h"
#include "mirror/pages.h"
#include "url/url.h"

namespace gossamer::mirror {

// Returns the relative link from one file of the copy to another: "../b/index.html".
std::string relative_link(std::string_view from, std::string_view to);

// Rewrites the links of one document so that they lead from its copy to their old targets.
// BORROWS: the pages and the name.
class Relinker {
 public:
  // Links are resolved against `base`; `has_own_base` says that it comes from the document.
  Relinker(const Pages& pages, std::string_view name, url::Url base, bool has_own_base,
           html::Encoding encoding)
      : pages_(pages),
        name_(name),
        base_(std::move(base)),
        has_own_base_(has_own_base),
        encoder_(encoding) {}

  struct Link {
    std::string text;
    bool is_local = false;  // it leads to a copy; otherwise to the web
  };
  // Returns nothing if the link stays as it is: it leads within the document, or not to the web.
  std::optional<Link> relinked(std::string_view link);
  // The same, but always to the web.
  std::optional<Link> absolute(std::string_view link);

  // These rewrite attributes and style sheets with all their links. They return nothing if there is
  // nothing to change.
  std::optional<std::string> srcset(std::string_view value);
  std::optional<std::string> refresh(std::string_view content);
  std::optional<std::string> css(std::string_view text);

 private:
  std::optional<url::Url> resolved(std::string_view link);

  const Pages& pages_;
  std::string_view name_;
  url::Url base_;
  bool has_own_base_;
  html::Encoder encoder_;
};

}  // namespace gossamer::mirror

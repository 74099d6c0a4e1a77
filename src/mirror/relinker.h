#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/encoder.h"
#include "mirror/pages.h"
#include "url/url.h"

namespace gossamer::mirror {

// The way from one file of the copy to another, as a link writes it: "../b/index.html".
std::string relative_link(std::string_view from, std::string_view to);

// Makes the links of one document lead from its copy to where they led from the document.
// BORROWS: the pages and the name.
class Relinker {
 public:
  // `base` is what links are resolved against; `has_own_base` if the document says which.
  Relinker(const Pages& pages, std::string_view name, url::Url base, bool has_own_base,
           html::Encoding encoding)
      : pages_(pages),
        name_(name),
        base_(std::move(base)),
        has_own_base_(has_own_base),
        encoder_(encoding) {}

  struct Link {
    std::string text;
    bool is_local = false;  // it leads to a copy, else to the web
  };
  // Nothing: it leads within the document, or is no address of the web, and stays as it is.
  std::optional<Link> relinked(std::string_view link);
  // The same, but always to the web.
  std::optional<Link> absolute(std::string_view link);

  // Attributes and style sheets with all their links. Nothing: there is nothing to change.
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

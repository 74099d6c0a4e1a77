#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/encoder.h"
#include "mirror/link_targets.h"
#include "mirror/pages.h"
#include "url/url.h"

namespace gossamer::mirror {

// Returns the relative link from one file of the copy to another: "../b/index.html".
std::string relative_link(std::string_view from, std::string_view to);

// The links of a copy made of files: they lead to the files of copies, and to the web where there
// is none. BORROWS: the pages and the name of the document's copy.
class FileTargets final : public LinkTargets {
 public:
  FileTargets(const Pages& pages, std::string_view name) : pages_(pages), name_(name) {}
  NewLink link_to(const url::Url& url, bool is_frame) const override;

 private:
  const Pages& pages_;
  std::string_view name_;
};

// Rewrites the links of one document so that they lead from its copy to their old targets.
// BORROWS: the targets.
class Relinker {
 public:
  // Links are resolved against `base`; `has_own_base` says that it comes from the document.
  Relinker(const LinkTargets& targets, url::Url base, bool has_own_base, html::Encoding encoding)
      : targets_(targets),
        base_(std::move(base)),
        has_own_base_(has_own_base),
        encoder_(encoding) {}

  using Link = NewLink;
  const LinkTargets& targets() const { return targets_; }
  // Returns nothing if the link stays as it is: it leads within the document, or not to the web.
  std::optional<Link> relinked(std::string_view link, bool is_frame = false);
  // The same, but always to the web.
  std::optional<Link> absolute(std::string_view link);

  // These rewrite attributes, style sheets and manifests with all their links. They return nothing
  // if there is nothing to change.
  std::optional<std::string> srcset(std::string_view value);
  std::optional<std::string> refresh(std::string_view content);
  std::optional<std::string> css(std::string_view text);
  std::optional<std::string> manifest(std::string_view json);

 private:
  std::optional<url::Url> resolved(std::string_view link);

  const LinkTargets& targets_;
  url::Url base_;
  bool has_own_base_;
  html::Encoder encoder_;
};

}  // namespace gossamer::mirror

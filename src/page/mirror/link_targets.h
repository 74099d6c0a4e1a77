#pragma once

#include <string>

#include "url/url.h"

namespace gossamer::mirror {

struct NewLink {
  std::string text;
  bool is_local = false;  // it leads to a copy; otherwise to the web
};

// Knows where the links of a copied document lead.
class LinkTargets {
 public:
  virtual ~LinkTargets() = default;
  // `url` is http or https. Its fragment is part of the link. `is_frame`: the link fills a frame of
  // the document.
  virtual NewLink link_to(const url::Url& url, bool is_frame) const = 0;
  // True if no link may lead elsewhere, whatever a browser makes of the markup. Links in templates
  // and canonical URLs are rewritten, too. Policies of the document (<meta
  // http-equiv=content-security-policy>), which would block the copies of its parts, lose their
  // effect. Tags that cannot be rewritten lose their attributes: those with too many or too long
  // ones, and each <link> that is neither a style sheet nor an icon.
  virtual bool is_strict() const { return false; }
};

}  // namespace gossamer::mirror

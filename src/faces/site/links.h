// The link graph of the site. Pages and the ground truth are made from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "site/layout.h"
#include "site/resource.h"

namespace gossamer::site {

enum class LinkRole : std::uint8_t {
  anchor,    // <a href>
  style,     // <link rel=stylesheet>
  image,     // <img src>
  trap,      // <a href> into a trap
  external,  // <a href> to another site, mailto: or javascript:
};

struct Link {
  LinkRole role = LinkRole::anchor;
  bool is_nofollow = false;
  Resource to;        // of an anchor, a style or an image
  std::string other;  // the text of a trap or external link
};

// The number of children of a page: page 0 has 1 to 8, page 1 has 9 to 16, ...
inline constexpr std::uint64_t kChildren = 8;

// Returns the links of a resource in page order. Empty if it is not an HTML page. A redirect has
// only its target, see Layout::outcome.
std::vector<Link> links_of(const Layout& layout, const Resource& resource);

// Returns the pages that a sitemap of a host lists: sitemap `number`, from 1 on, lists the pages
// [first, last) except disallowed ones.
Layout::Share sitemap_pages(const Layout& layout, std::uint64_t number);

}  // namespace gossamer::site

// The graph of the site: what links to what. Pages are written from it, and so is the ground truth.
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
  std::string other;  // what a trap or an external link says
};

// How many children a page has: page 0 has 1 to 8, page 1 has 9 to 16, ...
inline constexpr std::uint64_t kChildren = 8;

// The links of a resource, in the order in which they stand on it. Empty for what is no HTML
// page. A redirect has none but where it leads, see Layout::outcome.
std::vector<Link> links_of(const Layout& layout, const Resource& resource);

// What the sitemaps of a host list: sitemap `number`, from 1 on, the pages [first, last) but for
// disallowed ones.
Layout::Share sitemap_pages(const Layout& layout, std::uint64_t number);

}  // namespace gossamer::site

// The headline of a page: what its text is called, without the name of the site.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dom/node.h"

namespace gossamer::content {

// BORROWS: the element.
struct PageHeading {
  bool is_top = false;  // of the first level
  std::string text;
  const dom::Node* element = nullptr;
};

struct Headline {
  std::string text;                    // empty: the page has none
  const dom::Node* element = nullptr;  // the heading at which the text begins; nullptr: unknown
};

// BOUND: headings that are compared with the title.
inline constexpr std::size_t kPageHeadingsMax = 32;

// `titles` are what the page calls itself, the best one first: og:title, <title>. A heading of the
// first level that resembles one of them is the headline. Else it is the title without the name of
// the site, as most other headings belong to a logo, a menu or a form.
Headline find_headline(const std::vector<PageHeading>& headings,
                       const std::vector<std::string>& titles, std::string_view site);

}  // namespace gossamer::content

// Who wrote a page and when, chosen from what the page says in several places.
#pragma once

#include <string>
#include <string_view>

#include "content/byline.h"
#include "content/structured_data.h"

namespace gossamer::content {

// What a page says. BORROWS: the texts.
struct PublicationClaims {
  std::string_view author;       // of <meta>
  std::string_view author_link;  // the text of a link with rel=author
  std::string_view published;    // of <meta>
  std::string_view site;         // the name of the site
  std::string_view kind;         // og:type
  // The canonical URL, else that of og:url; empty: neither is there. The page's own URL may be any
  // of its copies.
  std::string_view canonical;
  std::string_view url;
  const StructuredFacts& structured;
  const Byline& byline;
  NumberOrder order = NumberOrder::month_first;
};

struct Publication {
  std::string author;
  std::string published;
};

// Programs give a date and an author to all pages: shops, menus, lists. So these count only for
// what looks like a published text: it has a byline, it is an article or a post in
// structured data, or its URL says so.
Publication find_publication(const PublicationClaims& claims);

}  // namespace gossamer::content

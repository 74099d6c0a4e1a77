// The Link header: RFC 8288.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::wire {

// <target>; rel="next canonical"; type="text/html"
struct LinkField {
  std::string target;             // as it stands there, to be resolved against the page
  std::vector<std::string> rels;  // lower case
  std::string type;
  std::string anchor;    // the link is about another page
  std::string hreflang;  // the first one
  std::string media;

  bool has_rel(std::string_view rel) const noexcept;  // REQUIRES: lower case
};

// The links of one header value. What makes no sense is passed over.
// BOUND: at most 256 links, 16 rels each.
std::vector<LinkField> parse_link_header(std::string_view value);

}  // namespace gossamer::wire

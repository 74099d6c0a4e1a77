// The Link header: RFC 8288.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::wire {

// <target>; rel="next canonical"; type="text/html"
struct LinkField {
  std::string target;             // as written, to be resolved against the page
  std::vector<std::string> rels;  // lower case
  std::string type;
  std::string anchor;    // if present, the link is about another page
  std::string hreflang;  // the first one
  std::string media;

  bool has_rel(std::string_view rel) const noexcept;  // REQUIRES: lower case
};

// Parses the links of one header value. Invalid ones are skipped.
// BOUND: at most 256 links, 16 rels each.
std::vector<LinkField> parse_link_header(std::string_view value);

}  // namespace gossamer::wire

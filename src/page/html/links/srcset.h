// The srcset and imagesrcset attributes. https://html.spec.whatwg.org/#parse-a-srcset-attribute
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gossamer::html {

struct ImageCandidate {
  std::string_view url;
  std::optional<double> width;    // the descriptor 300w
  std::optional<double> density;  // the descriptor 2x
};

// Returns every candidate that the standard keeps, in order. BORROWS: the URLs view `srcset`.
std::vector<ImageCandidate> parse_srcset(std::string_view srcset);

}  // namespace gossamer::html

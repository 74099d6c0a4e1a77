// The many spellings of one URL in a page.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"

namespace gossamer::site {

// The location of a link, and what can be assumed there.
struct SpellingPlace {
  std::string_view host;     // of the page: "site.example"
  std::string_view base;     // the base path of relative links: "/guide/"
  bool is_utf_8 = true;      // non-ASCII letters can be written directly
  double odd_spellings = 0;  // probability of an unusual one
};

// Returns the value of an href that leads to `target` (path and query, normalised) on `host`, with
// character references where HTML requires them.
std::string spell(const SpellingPlace& place, std::string_view host, std::string_view target,
                  base::Random& random);

// Returns `target` relative to the folder `base`, which begins and ends with a slash.
std::string relative_reference(std::string_view base, std::string_view target);

}  // namespace gossamer::site

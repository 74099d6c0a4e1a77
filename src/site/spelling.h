// The many ways to write down one address in a page.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"

namespace gossamer::site {

// Where a link stands, and what may be assumed there.
struct SpellingPlace {
  std::string_view host;     // of the page: "site.example"
  std::string_view base;     // path that relative links begin from: "/guide/"
  bool is_utf_8 = true;      // other letters than ASCII may be written as they are
  double odd_spellings = 0;  // chance of an unusual one
};

// The value of an href that leads to `target` (path and query, normalised) on `host`, with
// character references where HTML needs them.
std::string spell(const SpellingPlace& place, std::string_view host, std::string_view target,
                  base::Random& random);

// `target` as seen from the folder `base`, which begins and ends with a slash.
std::string relative_reference(std::string_view base, std::string_view target);

}  // namespace gossamer::site

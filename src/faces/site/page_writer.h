// The HTML of the site.
#pragma once

#include <string>
#include <string_view>

#include "site/layout.h"
#include "site/resource.h"

namespace gossamer::site {

// Returns the body of a page, in its encoding. REQUIRES: it is an existing page or copy.
std::string write_page(const Layout& layout, const Resource& resource);
// Returns the Content-Type: "text/html; charset=shift_jis".
std::string content_type_of(const PageTraits& traits);

// Returns a short message page with a link to the root.
std::string write_notice(std::string_view title);
// The body of a redirect. `location` is a URL.
std::string write_redirect(std::string_view location);
// Returns a page of a trap, which links to more of them. `target` is its own URL.
std::string write_trap(std::string_view target, std::uint64_t seed);

}  // namespace gossamer::site

// The HTML of the site.
#pragma once

#include <string>
#include <string_view>

#include "site/layout.h"
#include "site/resource.h"

namespace gossamer::site {

// The body of a page, in its encoding. REQUIRES: a page or a copy that exists.
std::string write_page(const Layout& layout, const Resource& resource);
// As in Content-Type: "text/html; charset=shift_jis".
std::string content_type_of(const PageTraits& traits);

// A few lines that say what happened, with a link to the root.
std::string write_notice(std::string_view title);
// The body of a redirect. `location` is a URL.
std::string write_redirect(std::string_view location);
// A page of a trap, which leads to more of them. `target` is where it is.
std::string write_trap(std::string_view target, std::uint64_t seed);

}  // namespace gossamer::site

// The contents of the site other than pages.
#pragma once

#include <cstdint>
#include <string>

#include "site/layout.h"

namespace gossamer::site {

std::string write_robots(const Layout& layout, std::uint32_t host);
// 0 is the index, the others list pages.
std::string write_sitemap(const Layout& layout, std::uint32_t host, std::uint64_t number);
// Refers to images of the site.
std::string write_style(const Layout& layout, std::uint64_t number);
// A PDF file of one line.
std::string write_document(std::uint64_t number);

}  // namespace gossamer::site

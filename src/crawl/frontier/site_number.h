#pragma once

#include <cstdint>
#include <string_view>

namespace gossamer::crawler {

// Returns the host in a URL: "a.example" for "https://a.example:8443/b". Text without a host is
// returned unchanged.
std::string_view host_in(std::string_view url) noexcept;

// Returns a number for the site (the registrable domain) of a host. It is the same in every
// process, so that sites can be divided among any number of loops, even when a crawl is resumed.
std::uint16_t site_number(std::string_view host);

// The sites of one of several loops.
struct SiteShare {
  std::uint32_t index = 0;
  std::uint32_t count = 1;

  bool has(std::uint16_t site) const noexcept { return site % count == index; }
};

}  // namespace gossamer::crawler

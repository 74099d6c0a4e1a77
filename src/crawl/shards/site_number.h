#pragma once

#include <cstdint>
#include <string_view>

namespace gossamer::crawler {

// Of "https://a.example:8443/b": "a.example". What has no host is its own.
std::string_view host_in(std::string_view url) noexcept;

// A number for the site (the registrable domain) that a host belongs to: the same in every process,
// so that sites can be dealt among any number of loops, also when a crawl goes on.
std::uint16_t site_number(std::string_view host);

// What one of several loops has.
struct SiteShare {
  std::uint32_t index = 0;
  std::uint32_t count = 1;

  bool has(std::uint16_t site) const noexcept { return site % count == index; }
};

}  // namespace gossamer::crawler

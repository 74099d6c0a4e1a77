#include "tests/site_server/test_sites.h"

#include <array>

#include "base/random.h"

namespace gossamer::site {

SiteOptions drawn_site(std::uint64_t seed) {
  base::Random random(seed);
  random = random.fork("site options");
  SiteOptions options;
  options.seed = seed;
  options.pages = 1 + random.below(120);
  options.links_min = static_cast<std::uint32_t>(random.below(8));
  options.links_max = options.links_min + static_cast<std::uint32_t>(random.below(20));
  options.page_bytes_min = 400;
  options.page_bytes_max = 400 + static_cast<std::uint32_t>(random.below(4'000));
  const std::array shares = {
      &options.redirects,      &options.moved,          &options.duplicates,
      &options.missing,        &options.errors,         &options.disallowed,
      &options.orphans,        &options.nofollow_links, &options.nofollow_pages,
      &options.offsite_links,  &options.odd_links,      &options.odd_spellings,
      &options.documents,      &options.images,         &options.gzipped,
      &options.other_encodings};
  for (double* const share : shares) *share = random.chance(0.7) ? random.unit() * 0.3 : 0;
  options.errors *= 0.2;
  options.chunked = random.unit();
  options.has_robots = random.chance(0.9);
  options.has_sitemap = random.chance(0.8);
  return options;
}

void set_faults(SiteOptions& options, FaultLevel level) {
  switch (level) {
    case FaultLevel::none:
      options.slow = options.cut_once = options.cut_always = options.errors = 0;
      return;
    case FaultLevel::some:
      options.slow = 0.02;
      options.cut_once = 0.02;
      options.cut_always = 0.002;
      options.errors = 0.02;
      return;
    case FaultLevel::many:
      options.slow = 0.1;
      options.cut_once = 0.1;
      options.cut_always = 0.02;
      options.errors = 0.1;
      return;
  }
}

}  // namespace gossamer::site

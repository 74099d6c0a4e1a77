#include "site/site_options.h"

#include <array>

#include "base/random.h"

namespace gossamer::site {

SiteOptions SiteOptions::demo(std::uint64_t seed) {
  SiteOptions options;
  options.seed = seed;
  options.pages = 400;
  options.redirects = 0.06;
  options.moved = 0.05;
  options.duplicates = 0.05;
  options.missing = 0.03;
  options.errors = 0.015;
  options.disallowed = 0.05;
  options.orphans = 0.04;
  options.nofollow_links = 0.02;
  options.nofollow_pages = 0.02;
  options.offsite_links = 0.3;
  options.odd_links = 0.1;
  options.odd_spellings = 0.2;
  options.documents = 0.03;
  options.images = 0.3;
  options.other_encodings = 0.06;
  options.gzipped = 0.2;
  options.slow = 0.02;
  options.slow_delay = 300ms;
  return options;
}

SiteOptions SiteOptions::drawn(std::uint64_t seed) {
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

void SiteOptions::set_faults(FaultLevel level) {
  switch (level) {
    case FaultLevel::none: slow = cut_once = cut_always = errors = 0; return;
    case FaultLevel::some:
      slow = 0.02;
      cut_once = 0.02;
      cut_always = 0.002;
      errors = 0.02;
      return;
    case FaultLevel::many:
      slow = 0.1;
      cut_once = 0.1;
      cut_always = 0.02;
      errors = 0.1;
      return;
  }
}

Result<void> validate(const SiteOptions& options) {
  if (options.pages == 0) return fail(Errc::invalid_argument, "a site must have at least one page");
  if (options.pages > 100'000'000) return fail(Errc::invalid_argument, "too many pages");
  if (options.hosts.empty())
    return fail(Errc::invalid_argument, "a site must have at least one host");
  if (options.links_min > options.links_max || options.page_bytes_min > options.page_bytes_max) {
    return fail(Errc::invalid_argument, "a minimum is larger than its maximum");
  }
  for (const double share : {options.redirects,     options.moved,          options.duplicates,
                             options.missing,       options.errors,         options.disallowed,
                             options.orphans,       options.nofollow_links, options.nofollow_pages,
                             options.offsite_links, options.odd_links,      options.odd_spellings,
                             options.documents,     options.images,         options.other_encodings,
                             options.gzipped,       options.chunked,        options.slow,
                             options.cut_once,      options.cut_always}) {
    if (!(share >= 0 && share <= 1))
      return fail(Errc::invalid_argument, "a share must be from 0 to 1");
  }
  if (options.delay < Duration::zero() || options.crawl_delay < Duration::zero() ||
      options.slow_delay < Duration::zero()) {
    return fail(Errc::invalid_argument, "a delay must not be negative");
  }
  return {};
}

}  // namespace gossamer::site

#include "site/site_options.h"

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

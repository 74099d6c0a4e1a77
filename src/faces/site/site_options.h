#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace gossamer::site {

// The properties of a synthetic site. The default is a plain one: HTML pages that link to each
// other, each answered immediately. Everything else must be enabled.
//
// A share is a probability per page (duplicates = 0.1: every tenth page has a second URL); a rate
// is a number per page of a host (redirects = 0.05: 50 on 1,000 pages).
struct SiteOptions {
  // All other properties are drawn from it.
  std::uint64_t seed = 1;
  // Per host.
  std::uint64_t pages = 1000;
  // The names of the hosts, with a port unless it is 80: "site.example", "127.0.0.1:8080".
  std::vector<std::string> hosts = {"site.example"};

  // Per page. All of a page's children are linked even if there are more than the maximum.
  std::uint32_t links_min = 28;
  std::uint32_t links_max = 44;
  std::uint32_t page_bytes_min = 6'000;
  std::uint32_t page_bytes_max = 14'000;

  double redirects = 0;        // rate: chains, merges, loops, links to other sites
  double moved = 0;            // share: linked by an old URL, which redirects
  double duplicates = 0;       // share: the same body at a second URL
  double missing = 0;          // rate: links to pages that do not exist
  double errors = 0;           // rate: 403, 410, 500; temporary 503 and 429
  double disallowed = 0;       // share: in a subtree that robots.txt forbids
  double orphans = 0;          // rate: more pages, which only the sitemap lists
  double nofollow_links = 0;   // chance of each link
  double nofollow_pages = 0;   // share: by <meta> or by X-Robots-Tag
  double offsite_links = 0;    // rate: links to other hosts
  double odd_links = 0;        // rate: mailto: and javascript:
  double odd_spellings = 0;    // chance of each link: spelled unusually, meaning the same
  double documents = 0;        // rate: PDF files
  double images = 0;           // rate: pictures; each page then also has a style sheet
  double other_encodings = 0;  // share: windows-1251, Shift_JIS, UTF-16
  double gzipped = 0;          // share: compressed for clients that accept it
  double chunked = 0.3;        // share: framed in chunks rather than by length
  double slow = 0;             // share: a late response, or a slow body
  double cut_once = 0;         // share: the connection ends inside the first response
  double cut_always = 0;       // share: there is never a response

  bool has_robots = true;
  bool has_sitemap = true;
  // Zero: robots.txt has no Crawl-delay.
  Duration crawl_delay = Duration::zero();
  // The delay of every response.
  Duration delay = Duration::zero();
  // The approximate delay of slow responses.
  Duration slow_delay = 500ms;
  // An endless calendar, a maze of ever deeper paths, a shop that invents session ids.
  bool has_traps = false;
  // Missing pages are answered with 200 and a friendly page.
  bool has_soft_404 = false;

  // A bit of everything except traps, on a few hundred pages.
  static SiteOptions demo(std::uint64_t seed);
};

// Checks that shares are within [0, 1], that there is at least one page and one host, that no
// minimum exceeds its maximum, ... Fails with Errc::invalid_argument.
Result<void> validate(const SiteOptions& options);

}  // namespace gossamer::site

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace gossamer::site {

enum class FaultLevel : std::uint8_t { none, some, many };

// What a synthetic site is like. The defaults are a plain one: pages of HTML that link to each
// other, each answered at once. Everything else is asked for.
//
// A share is a chance for each page (duplicates = 0.1: every tenth page has a second address); a
// rate is a number of such things for each page of a host (redirects = 0.05: 50 on 1,000 pages).
struct SiteOptions {
  // Everything that is not said here is drawn from it.
  std::uint64_t seed = 1;
  // Of each host.
  std::uint64_t pages = 1000;
  // What the hosts are called, with a port unless it is 80: "site.example", "127.0.0.1:8080".
  std::vector<std::string> hosts = {"site.example"};

  // Of each page. All of a page's children are linked even if these are more than the most.
  std::uint32_t links_min = 28;
  std::uint32_t links_max = 44;
  std::uint32_t page_bytes_min = 6'000;
  std::uint32_t page_bytes_max = 14'000;

  double redirects = 0;        // rate: chains, meetings, loops, ways out
  double moved = 0;            // share: linked by an old address, which redirects
  double duplicates = 0;       // share: the same body at a second address
  double missing = 0;          // rate: links to what is not there
  double errors = 0;           // rate: 403, 410, 500; 503 and 429 that get well
  double disallowed = 0;       // share: in a subtree that robots.txt forbids
  double orphans = 0;          // rate: further pages that only the sitemap knows
  double nofollow_links = 0;   // chance of each link
  double nofollow_pages = 0;   // share: by <meta> or by X-Robots-Tag
  double offsite_links = 0;    // rate: links to hosts of others
  double odd_links = 0;        // rate: mailto: and javascript:
  double odd_spellings = 0;    // chance of each link: spelled unusually, meaning the same
  double documents = 0;        // rate: PDF files
  double images = 0;           // rate: pictures; each page then also has a style sheet
  double other_encodings = 0;  // share: windows-1251, Shift_JIS, UTF-16
  double gzipped = 0;          // share: coded for clients that take it
  double chunked = 0.3;        // share: framed in chunks rather than by length
  double slow = 0;             // share: a late answer, or a body that dribbles
  double cut_once = 0;         // share: the connection ends inside the first answer
  double cut_always = 0;       // share: never answered at all

  bool has_robots = true;
  bool has_sitemap = true;
  // Zero: robots.txt has none.
  Duration crawl_delay = Duration::zero();
  // Every answer comes so late.
  Duration delay = Duration::zero();
  // About how late slow answers come.
  Duration slow_delay = 500ms;
  // An endless calendar, a maze of ever deeper paths, a shop that invents session ids.
  bool has_traps = false;
  // What is not there is answered with 200 and a friendly page.
  bool has_soft_404 = false;

  // A bit of everything but traps, on a few hundred pages.
  static SiteOptions demo(std::uint64_t seed);
  // A small site for tests: what there is of each is drawn from the seed.
  static SiteOptions drawn(std::uint64_t seed);

  // Sets the shares of cut and slow answers and of errors.
  void set_faults(FaultLevel level);
};

// Shares within [0, 1], at least one page and one host, no least above its most, ...
// Fails with Errc::invalid_argument.
Result<void> validate(const SiteOptions& options);

}  // namespace gossamer::site

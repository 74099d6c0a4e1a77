#pragma once

#include <cstdint>

namespace gossamer::crawler {

// The counts of limits and guards. Crawl directories store these numbers.
enum class Counted : std::uint8_t {
  host_urls = 1,     // URLs of a host (UrlBudgets)
  path_urls = 2,     // URLs of a path
  dates = 3,         // dates of a page (Traps)
  tokens = 4,        // tokens of a page (Traps)
  token_places = 5,  // tokens at one place of URLs
  domain_hosts = 6,  // hosts of a registrable domain
  alike_pages = 7,   // URLs on alike pages of a series (EndlessSeries)
  unlinking_pages = 8,
  guesses = 9,  // 1: a URL in a script is only a guess; 2: it is a link of a page, too
};

// The current value of a count, to be stored.
struct StoredCount {
  Counted what = {};
  std::uint32_t count = 0;
  std::uint64_t key = 0;  // the hash of the counted item
};

}  // namespace gossamer::crawler

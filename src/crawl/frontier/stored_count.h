#pragma once

#include <cstdint>

namespace gossamer::crawler {

// What limits and guards count. The numbers stand in crawl directories.
enum class Counted : std::uint8_t {
  host_urls = 1,     // URLs of a host (UrlBudgets)
  path_urls = 2,     // and of a path
  dates = 3,         // under which a page is asked for (Traps)
  tokens = 4,        // the same
  token_places = 5,  // tokens that stood in one place of URLs
  domain_hosts = 6,  // hosts of a registrable domain
  alike_pages = 7,   // in a row, of a series (EndlessSeries)
  unlinking_pages = 8,
};

// One of these counts as it is by now, for those who keep it beyond the process.
struct StoredCount {
  Counted what = {};
  std::uint32_t count = 0;
  std::uint64_t key = 0;  // the hash of what is counted for
};

}  // namespace gossamer::crawler

// Compares the results of a crawl with the ground truth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "site/truth.h"

namespace gossamer::site {

// One line of a crawl's results.
struct CrawledUrl {
  std::string url;
  int status = 0;        // 0: no response
  std::string next_url;  // target of a redirect, else empty
};

struct Comparison {
  struct Difference {
    std::string url;
    std::string expected;
    std::string found;
  };

  std::uint64_t equal = 0;
  std::vector<std::string> missing;   // required but not fetched
  std::vector<std::string> extra;     // fetched but not required, or does not exist
  std::vector<std::string> repeated;  // was fetched more than once
  std::vector<Difference> wrong;      // another status, or another next URL
  // Allowed but not required: robots.txt, sitemaps, URLs in traps.
  std::uint64_t by_the_way = 0;
  std::uint64_t trapped = 0;

  bool is_equal() const {
    return missing.empty() && extra.empty() && repeated.empty() && wrong.empty();
  }
};

// URLs are compared by their crawl identity, so spelling does not matter.
Comparison compare(const Layout& layout, const Truth& truth, const std::vector<CrawledUrl>& crawl);

// For people, one line each; at most `lines_max` of each kind.
std::string describe(const Comparison& comparison, std::size_t lines_max = 20);

}  // namespace gossamer::site

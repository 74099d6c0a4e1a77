// What there is on a site, and what a correct crawl of it asks for: computed from the graph that
// the pages are written from, not from the pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "site/layout.h"
#include "site/resource.h"

namespace gossamer::site {

// How the crawl goes about it.
struct TruthOptions {
  // The hosts whose root pages it begins with. Their pages are in scope.
  std::vector<std::uint32_t> roots = {0};
  // The other hosts of the site are in scope too.
  bool crosses_hosts = false;
  bool obeys_robots = true;
  bool follows_nofollow = false;
  bool uses_sitemaps = false;
  // Asks for style sheets and pictures too.
  bool with_assets = false;
  // Asks for PDF files. Off: they are skipped by their name.
  bool with_documents = true;
  // Links of pages at this depth are not followed. The roots, and what sitemaps list, have depth
  // 0; a redirect leads to its own depth.
  std::optional<std::uint32_t> depth_max = std::nullopt;
};

struct TruthEntry {
  std::string url;  // normalised
  Kind kind = Kind::nothing;
  // What it ends with: 0 if there never is an answer. Before that the first `failures` answers
  // have `failing_status`, or are cut short if that is 0.
  int status = 200;
  std::uint32_t failures = 0;
  int failing_status = 0;
  std::string next_url;     // of a redirect
  bool is_linked = false;   // there is a way to it, if neither robots nor nofollow is minded
  bool is_allowed = false;  // by robots.txt
  bool must_fetch = false;  // by this crawl, once
  std::uint32_t depth = 0;  // if so
};

// Every URL that exists or is linked, but for traps: host by host, kind by kind.
struct Truth {
  std::vector<TruthEntry> entries;
  bool has_traps = false;

  std::vector<std::string> must_fetch() const;
};

// BOUND: memory grows with the number of URLs.
Truth find_truth(const Layout& layout, const TruthOptions& options);

// One line of JSON, without a line feed.
std::string to_json(const TruthEntry& entry);

}  // namespace gossamer::site

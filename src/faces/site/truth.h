// The contents of a site, and what a correct crawl of it fetches: computed from the graph that the
// pages are made from, not from the pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "site/layout.h"
#include "site/resource.h"

namespace gossamer::site {

// The options of the crawl.
struct TruthOptions {
  // The hosts whose root pages it starts with. Their pages are in scope.
  std::vector<std::uint32_t> roots = {0};
  // The other hosts of the site are in scope too.
  bool crosses_hosts = false;
  bool obeys_robots = true;
  bool follows_nofollow = false;
  bool uses_sitemaps = false;
  // Fetches style sheets and images too.
  bool with_assets = false;
  // Fetches PDF files. If off, they are skipped by their name.
  bool with_documents = true;
  // Links of pages at this depth are not followed. The roots, and URLs in sitemaps, have depth 0;
  // the target of a redirect has the depth of the redirect.
  std::optional<std::uint32_t> depth_max = std::nullopt;
};

struct TruthEntry {
  std::string url;  // normalised
  Kind kind = Kind::nothing;
  // The final status: 0 if there is never a response. Before that the first `failures` responses
  // have `failing_status`, or are truncated if that is 0.
  int status = 200;
  std::uint32_t failures = 0;
  int failing_status = 0;
  std::string next_url;     // target of a redirect
  bool is_linked = false;   // reachable if robots and nofollow are ignored
  bool is_allowed = false;  // by robots.txt
  bool must_fetch = false;  // by this crawl, once
  std::uint32_t depth = 0;  // if so
};

// Every URL that exists or is linked, except traps: by host, then by kind.
struct Truth {
  std::vector<TruthEntry> entries;
  bool has_traps = false;

  std::vector<std::string> must_fetch() const;
};

// BOUND: memory grows with the number of URLs.
Truth find_truth(const Layout& layout, const TruthOptions& options);

}  // namespace gossamer::site

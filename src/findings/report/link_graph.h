#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/first_seen.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::report {

// The pages that a crawl found, the pages that link to them, how each was reached and where it
// redirects. Pages are distinguished by their crawl identity.
//
// BOUND: a number of pages and of bytes of URLs; about 70 more bytes per page. Later pages are not
// stored, but counted.
class LinkGraph {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0xFFFF'FFFF;
  // The number of linking pages stored per page; all are counted.
  static constexpr std::size_t kReferrersMax = 3;

  struct Bounds {
    std::size_t pages_max = 1'000'000;
    std::size_t text_bytes_max = 128 * 1024 * 1024;
  };

  // Returns the largest bounds that fit into this memory.
  static Bounds bounds_within(std::size_t memory_bytes) noexcept;

  struct Node {
    Id via = kNone;           // the page where it was found first, or that redirected to it
    Id next = kNone;          // the target of its redirect
    std::uint32_t links = 0;  // pages that link to it
    std::array<Id, kReferrersMax> referrers = {kNone, kNone, kNone};
    Id last_referrer = kNone;
    std::uint16_t status = 0;       // 0 if there was none
    bool is_fetched = false;        // it was fetched
    bool has_failed = false;        // the fetch failed
    bool is_listed = false;         // by a sitemap
    bool is_redirected_to = false;  // by another page
    std::uint32_t text_bytes = 0;
    std::size_t text_begin = 0;
  };

  // `salt` prevents sites from choosing URLs that make the table slow.
  LinkGraph(const url::IdentityRules& rules, std::uint64_t salt, Bounds bounds);
  LinkGraph(const url::IdentityRules& rules, std::uint64_t salt)
      : LinkGraph(rules, salt, Bounds()) {}

  // Returns the page of that URL, which may be new; kNone if there is no room for it, or if it is
  // not a URL.
  Id add(std::string_view url);
  Id add(const url::Url& url);
  // The same with the fingerprint of its crawl identity, by these rules.
  Id add(const url::Url& url, std::uint64_t fingerprint);
  // Adds a link. Consecutive links from one page to the same target count once.
  void link(Id page, Id target);

  std::size_t size() const noexcept { return nodes_.size(); }
  // Returns how many URLs did not fit; repeated ones are counted again.
  std::uint64_t left_out() const noexcept { return left_out_; }
  Node& operator[](Id id) { return nodes_[id]; }
  const Node& operator[](Id id) const { return nodes_[id]; }
  // Returns the first spelling, without fragment and password; empty for kNone.
  std::string_view url(Id id) const;

 private:
  Id put(std::string_view text, std::uint64_t fingerprint);

  // Texts are in blocks, so that growing does not move them.
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  url::CrawlIdentity identity_;
  const std::uint64_t salt_;
  const Bounds bounds_;
  crawler::FirstSeen ids_;
  std::deque<Node> nodes_;  // a deque does not move or over-allocate when it grows
  std::vector<std::string> blocks_;
  std::size_t text_bytes_ = 0;
  std::uint64_t left_out_ = 0;
  url::Url scratch_;
};

// Returns the URL without user name and password; nothing if it has none.
std::optional<url::Url> without_credentials(const url::Url& url);

}  // namespace gossamer::report

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crawl/page/first_seen.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::report {

// The pages that a crawl met, which pages link to them, how each was reached and where it leads.
// Pages are told apart by their crawl identity.
//
// BOUND: so many pages and so many bytes of URLs; about 70 bytes a page besides. What comes later
// is not remembered, and counted.
class LinkGraph {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0xFFFF'FFFF;
  // Of the pages that link to one page, so many are remembered; all are counted.
  static constexpr std::size_t kReferrersMax = 3;

  struct Bounds {
    std::size_t pages_max = 1'000'000;
    std::size_t text_bytes_max = 128 * 1024 * 1024;
  };

  // The most that take no more memory than this.
  static Bounds bounds_within(std::size_t memory_bytes) noexcept;

  struct Node {
    Id via = kNone;           // where it was found first, or what redirected to it
    Id next = kNone;          // where it redirects to
    std::uint32_t links = 0;  // pages that link to it
    std::array<Id, kReferrersMax> referrers = {kNone, kNone, kNone};
    Id last_referrer = kNone;
    std::uint16_t status = 0;       // 0: none came
    bool is_fetched = false;        // it was asked for
    bool has_failed = false;        // and there was an error
    bool is_listed = false;         // by a sitemap
    bool is_redirected_to = false;  // by another page
    std::uint32_t text_bytes = 0;
    std::size_t text_begin = 0;
  };

  // `salt`: so that no site can choose URLs that make the table slow.
  LinkGraph(const url::IdentityRules& rules, std::uint64_t salt, Bounds bounds);
  LinkGraph(const url::IdentityRules& rules, std::uint64_t salt)
      : LinkGraph(rules, salt, Bounds()) {}

  // The page of that URL, which may be new; kNone if there is no room for it, or it is no URL.
  Id add(std::string_view url);
  Id add(const url::Url& url);
  // With the fingerprint of its crawl identity, by these rules.
  Id add(const url::Url& url, std::uint64_t fingerprint);
  // Notes a link. Several of one page count as one, if they come one after the other.
  void link(Id page, Id target);

  std::size_t size() const noexcept { return nodes_.size(); }
  // URLs that came when there was no room; those that came again are counted again.
  std::uint64_t left_out() const noexcept { return left_out_; }
  Node& operator[](Id id) { return nodes_[id]; }
  const Node& operator[](Id id) const { return nodes_[id]; }
  // As it was first spelled, without fragment and password; empty for kNone.
  std::string_view url(Id id) const;

 private:
  Id put(std::string_view text, std::uint64_t fingerprint);

  // Texts lie in blocks, so that growing moves none of them.
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  url::CrawlIdentity identity_;
  const std::uint64_t salt_;
  const Bounds bounds_;
  crawler::FirstSeen ids_;
  std::deque<Node> nodes_;  // growing moves none of them, and takes no more than it needs
  std::vector<std::string> blocks_;
  std::size_t text_bytes_ = 0;
  std::uint64_t left_out_ = 0;
  url::Url scratch_;
};

// The URL without name and password, which are nobody's business; nothing if it has none.
std::optional<url::Url> without_credentials(const url::Url& url);

}  // namespace gossamer::report

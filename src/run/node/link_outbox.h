#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/layout.h"
#include "cluster/shared_frontier.h"
#include "frontier/target.h"
#include "url/url.h"

namespace gossamer::node {

// The partition of a host: all hosts of a site are in one.
std::uint32_t partition_of(std::string_view hostname,
                           std::uint32_t partitions = cluster::kPartitions);

// Collects the URLs that a node finds, by host, until they are added to the shared crawl. Most
// links were found before, so a cache drops those that were sent recently.
class LinkOutbox {
 public:
  static constexpr std::size_t kSlots = std::size_t{1} << 18;

  // Level by level, a URL is sent with every depth at which it is found. REQUIRES: `slots` is a
  // power of two. Each takes 8 bytes.
  explicit LinkOutbox(std::size_t slots = kSlots, bool is_level_by_level = false,
                      std::uint32_t partitions = cluster::kPartitions)
      : is_level_by_level_(is_level_by_level), partitions_(partitions), sent_(slots) {}

  // Returns false if the URL was added before.
  bool add(const url::Url& url, std::uint64_t fingerprint, const crawler::Target& facts);
  // URLs that were added and not sent.
  std::size_t size() const { return size_; }
  // Those of them that are in batches.
  std::size_t packed_size() const;
  // Moves all URLs into batches. They stay there until forget().
  const std::vector<cluster::FoundUrls>& pack();
  const std::vector<cluster::FoundUrls>& packed() const { return packed_; }
  // The batches were sent, except those with these numbers, which are in order.
  void forget(const std::vector<std::size_t>& left = {});
  // The hosts whose pages have links in the batches. These pages must not end yet.
  std::set<std::string, std::less<>> sources() const;

 private:
  struct Found {
    std::vector<std::uint64_t> fingerprints;
    std::vector<crawler::Target> targets;
  };

  void pack(const std::string& host, std::uint16_t depth, const Found& found);

  const bool is_level_by_level_;
  const std::uint32_t partitions_;
  std::vector<std::uint64_t> sent_;  // direct-mapped by the low bits
  // By host and depth; without levels, all depths are together.
  std::map<std::string, std::map<std::uint16_t, Found>, std::less<>> found_;
  std::vector<cluster::FoundUrls> packed_;
  std::vector<std::vector<std::string>> sources_;  // of each batch
  std::size_t size_ = 0;
};

}  // namespace gossamer::node

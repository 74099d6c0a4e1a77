#include "node/link_outbox.h"

#include <algorithm>
#include <span>
#include <utility>

#include "cluster/layout.h"
#include "crawl/shards/site_number.h"
#include "node/url_block.h"
#include "url/public_suffix.h"

namespace gossamer::node {

std::uint32_t partition_of(std::string_view hostname) {
  return crawler::site_number(hostname) % cluster::kPartitions;
}

namespace {

// Hosts of roots are not limited.
std::size_t limited_bytes(std::string_view host, std::span<const crawler::Target> targets) {
  if (std::ranges::any_of(targets, &crawler::Target::is_root)) return 0;
  const std::string_view domain = url::PublicSuffixList::built_in().registrable_domain(host);
  return domain == host ? 0 : domain.size();
}

}  // namespace

bool LinkOutbox::add(const url::Url& url, std::uint64_t fingerprint, const crawler::Target& facts) {
  const std::uint16_t depth = is_level_by_level_ ? facts.depth : 0;
  const std::uint64_t key = fingerprint ^ depth * 0x9E37'79B9'7F4A'7C15ULL;
  // A free slot is 0, so that key is never found.
  std::uint64_t& slot = sent_[key & (sent_.size() - 1)];
  if (slot == key && key != 0) return false;
  slot = key;
  auto host = found_.find(url.hostname());
  if (host == found_.end()) host = found_.try_emplace(std::string(url.hostname())).first;
  Found& found = host->second[depth];
  found.fingerprints.push_back(fingerprint);
  crawler::Target& target = found.targets.emplace_back(facts);
  target.url = url.without_fragment();
  ++size_;
  return true;
}

const std::vector<cluster::FoundUrls>& LinkOutbox::pack() {
  for (const auto& [host, depths] : std::exchange(found_, {})) {
    for (const auto& [depth, found] : depths) pack(host, depth, found);
  }
  return packed_;
}

void LinkOutbox::pack(const std::string& host, std::uint16_t depth, const Found& found) {
  const std::span<const crawler::Target> targets = found.targets;
  const std::size_t domain_bytes = limited_bytes(host, targets);
  for (std::size_t first = 0; first < targets.size(); first += cluster::kBatchMax) {
    const std::size_t count = std::min(cluster::kBatchMax, targets.size() - first);
    const auto begin = found.fingerprints.begin() + static_cast<std::ptrdiff_t>(first);
    packed_.push_back({.partition = partition_of(host),
                       .host = host,
                       .domain_bytes = domain_bytes,
                       .depth = depth,
                       .fingerprints = {begin, begin + static_cast<std::ptrdiff_t>(count)},
                       .block = pack_urls(targets.subspan(first, count))});
  }
}

void LinkOutbox::forget() {
  for (const cluster::FoundUrls& batch : packed_) size_ -= batch.fingerprints.size();
  packed_.clear();
}

}  // namespace gossamer::node

#include "node/link_outbox.h"

#include <algorithm>
#include <span>
#include <utility>

#include "cluster/layout.h"
#include "frontier/site_number.h"
#include "node/url_block.h"
#include "url/public_suffix.h"

namespace gossamer::node {

std::uint32_t partition_of(std::string_view hostname, std::uint32_t partitions) {
  return crawler::site_number(hostname) % partitions;
}

namespace {

// Hosts of roots are not limited.
std::size_t limited_bytes(std::string_view host, std::span<const crawler::Target> targets) {
  if (std::ranges::any_of(targets, &crawler::Target::is_root)) return 0;
  const std::string_view domain = url::PublicSuffixList::built_in().registrable_domain(host);
  return domain == host ? 0 : domain.size();
}

// The hosts of the pages on which they were found.
std::vector<std::string> hosts_of_pages(std::span<const crawler::Target> targets) {
  std::vector<std::string> hosts;
  for (const crawler::Target& target : targets) {
    const std::string_view host = crawler::host_in(target.via.url());
    // Most of them are of one page.
    if (host.empty() || (!hosts.empty() && hosts.back() == host)) continue;
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.emplace_back(host);
  }
  return hosts;
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
    packed_.push_back({.partition = partition_of(host, partitions_),
                       .host = host,
                       .domain_bytes = domain_bytes,
                       .depth = depth,
                       .fingerprints = {begin, begin + static_cast<std::ptrdiff_t>(count)},
                       .block = pack_urls(targets.subspan(first, count))});
    sources_.push_back(hosts_of_pages(targets.subspan(first, count)));
  }
}

void LinkOutbox::forget(const std::vector<std::size_t>& left) {
  size_ -= packed_size();
  std::vector<cluster::FoundUrls> packed;
  std::vector<std::vector<std::string>> sources;
  for (const std::size_t number : left) {
    packed.push_back(std::move(packed_[number]));
    sources.push_back(std::move(sources_[number]));
  }
  packed_ = std::move(packed);
  sources_ = std::move(sources);
  size_ += packed_size();
}

std::size_t LinkOutbox::packed_size() const {
  std::size_t count = 0;
  for (const cluster::FoundUrls& batch : packed_) count += batch.fingerprints.size();
  return count;
}

std::set<std::string, std::less<>> LinkOutbox::sources() const {
  std::set<std::string, std::less<>> hosts;
  for (const std::vector<std::string>& each : sources_) hosts.insert(each.begin(), each.end());
  return hosts;
}

}  // namespace gossamer::node

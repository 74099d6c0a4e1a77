#include "report/link_graph.h"

#include <algorithm>

#include "base/hash.h"

namespace gossamer::report {

std::optional<url::Url> without_credentials(const url::Url& url) {
  if (!url.has_credentials()) return std::nullopt;
  std::string text = std::string(url.protocol()) + "//" + std::string(url.host());
  auto stripped = url::Url::parse(text.append(url.request_target()));
  return stripped ? std::optional(std::move(*stripped)) : std::nullopt;
}

LinkGraph::LinkGraph(const url::IdentityRules& rules, std::uint64_t salt, Bounds bounds)
    : identity_(rules), salt_(salt), bounds_(bounds), ids_(bounds.pages_max) {}

LinkGraph::Bounds LinkGraph::bounds_within(std::size_t memory_bytes) noexcept {
  // A node, and its slot in a table that is half empty after it has grown.
  constexpr std::size_t kPageBytes = sizeof(Node) + 48;
  return {.pages_max = memory_bytes / 2 / kPageBytes, .text_bytes_max = memory_bytes / 2};
}

LinkGraph::Id LinkGraph::add(std::string_view url) {
  if (url.empty() || scratch_.assign(url) != url::UrlFailure::none) return kNone;
  return add(scratch_);
}

LinkGraph::Id LinkGraph::add(const url::Url& url) {
  if (const auto stripped = without_credentials(url)) {
    return put(stripped->without_fragment(), identity_.fingerprint(*stripped));
  }
  return put(url.without_fragment(), identity_.fingerprint(url));
}

LinkGraph::Id LinkGraph::add(const url::Url& url, std::uint64_t fingerprint) {
  return url.has_credentials() ? add(url) : put(url.without_fragment(), fingerprint);
}

LinkGraph::Id LinkGraph::put(std::string_view text, std::uint64_t fingerprint) {
  const std::string_view bytes(reinterpret_cast<const char*>(&fingerprint), sizeof(fingerprint));
  const base::Hash128 key = base::hash128(bytes, salt_);
  const bool has_room = ids_.size() < bounds_.pages_max && text.size() <= kBlockBytes &&
                        text_bytes_ + text.size() <= bounds_.text_bytes_max;
  // put() stores a new key, so without room it stores kNone for it.
  const std::uint64_t own = has_room ? nodes_.size() : kNone;
  if (const auto known = ids_.put(key, own)) {
    if (*known == kNone) ++left_out_;
    return static_cast<Id>(*known);
  }
  if (!has_room) {
    ++left_out_;
    return kNone;
  }
  if (blocks_.empty() || blocks_.back().size() + text.size() > kBlockBytes) {
    blocks_.emplace_back().reserve(kBlockBytes);
  }
  Node node;
  node.text_begin = (blocks_.size() - 1) * kBlockBytes + blocks_.back().size();
  node.text_bytes = static_cast<std::uint32_t>(text.size());
  blocks_.back() += text;
  text_bytes_ += text.size();
  nodes_.push_back(node);
  return static_cast<Id>(own);
}

void LinkGraph::link(Id page, Id target) {
  if (target == kNone || page == target) return;
  Node& node = nodes_[target];
  if (page != kNone && node.last_referrer == page) return;
  node.last_referrer = page;
  const std::uint32_t at = node.links++;
  if (at < kReferrersMax) node.referrers[at] = page;
}

std::string_view LinkGraph::url(Id id) const {
  if (id == kNone) return {};
  const Node& node = nodes_[id];
  const std::string& block = blocks_[node.text_begin / kBlockBytes];
  return std::string_view(block).substr(node.text_begin % kBlockBytes, node.text_bytes);
}

}  // namespace gossamer::report

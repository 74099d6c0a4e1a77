#include "node/url_block.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/packing.h"
#include "cluster/layout.h"

namespace gossamer::node {
namespace {

using crawler::Target;

// The first number of every block.
constexpr std::uint64_t kBlockFormat = 1;

void put_text(store::Packer& block, std::string_view text, std::string_view before) {
  const auto end = std::ranges::mismatch(text, before).in1;
  const auto same = static_cast<std::size_t>(end - text.begin());
  block.number(same);
  block.text(text.substr(same));
}

// Returns false if the text is malformed.
bool take_text(store::Unpacker& block, std::string& text) {
  const std::uint64_t same = block.number();
  const std::string_view rest = block.text();
  if (!block.is_good() || same > text.size() || same + rest.size() > kUrlBytesMax) return false;
  text.resize(same);
  text += rest;
  return true;
}

template <class Kind>
bool take_kind(store::Unpacker& block, Kind last, Kind& kind) {
  const std::uint64_t number = block.number();
  kind = static_cast<Kind>(number);
  return number <= static_cast<std::uint64_t>(last);
}

bool take_target(store::Unpacker& block, std::string& url, std::string& via, Target& target) {
  if (!take_text(block, url) || !take_text(block, via)) return false;
  const std::uint64_t depth = block.number();
  const std::uint64_t redirects = block.number();
  const std::uint64_t score = block.number();
  if (!take_kind(block, crawler::kLastPurpose, target.purpose)) return false;
  if (!take_kind(block, crawler::Leaf::whole, target.leaf)) return false;
  if (!block.is_good() || depth > 0xFFFF || redirects > 0xFF || score > 0xFF) return false;
  target.url = url;
  target.depth = static_cast<std::uint16_t>(depth);
  target.redirects = static_cast<std::uint8_t>(redirects);
  target.score = static_cast<std::uint8_t>(score);
  return true;
}

}  // namespace

std::string pack_urls(std::span<const Target> targets) {
  store::Packer block;
  block.number(kBlockFormat);
  block.number(targets.size());
  std::string_view url;
  std::string_view via;
  for (const Target& target : targets) {
    put_text(block, target.url, std::exchange(url, target.url));
    put_text(block, target.via.url(), std::exchange(via, target.via.url()));
    block.number(target.depth);
    block.number(target.redirects);
    block.number(target.score);
    block.number(static_cast<std::uint64_t>(target.purpose));
    block.number(static_cast<std::uint64_t>(target.leaf));
  }
  return std::move(block).take();
}

Result<std::vector<Target>> unpack_urls(std::string_view text) {
  store::Unpacker block(text);
  const std::uint64_t format = block.number();
  const std::uint64_t count = block.number();
  if (!block.is_good() || format != kBlockFormat || count > cluster::kBatchMax) {
    return fail(Errc::malformed, "a batch of URLs of another version");
  }
  std::vector<Target> targets;
  std::string url;
  std::string via;
  crawler::Referrer referrer;
  for (std::uint64_t i = 0; i < count; ++i) {
    Target& target = targets.emplace_back();
    if (!take_target(block, url, via, target)) {
      return fail(Errc::malformed, "a malformed batch of URLs");
    }
    // URLs of one page share the text.
    if (referrer.url() != via)
      referrer = via.empty() ? crawler::Referrer() : crawler::Referrer(via);
    target.via = referrer;
  }
  if (!block.is_at_end()) return fail(Errc::malformed, "a batch of URLs that is too long");
  return targets;
}

}  // namespace gossamer::node

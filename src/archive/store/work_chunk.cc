#include "store/work_chunk.h"

#include <utility>

#include "base/check.h"
#include "base/packing.h"

// A chunk is a count and the depth of the first target, then for each target:
//
//   flags, [fingerprint], depth, redirects, score, [referrer], path
//
// A referrer is written only if it differs from that of the previous target.
namespace gossamer::store {
namespace {

enum TargetFlag : std::uint64_t {
  kHasFingerprint = 1,
  kHasReferrer = 2,
  kIsRequisite = 4,
  kIsSitemap = 8,
  kIsNested = 16,
  kIsRoot = 32,
  kIsLeaf = 64,
  kIsAskedWhole = 128,
  kIsGuess = 256,
};

std::uint64_t flag_of(crawler::Purpose purpose) {
  switch (purpose) {
    case crawler::Purpose::page: return 0;
    case crawler::Purpose::root: return kIsRoot;
    case crawler::Purpose::requisite: return kIsRequisite;
    case crawler::Purpose::sitemap: return kIsSitemap;
    case crawler::Purpose::nested_sitemap: return kIsSitemap | kIsNested;
    case crawler::Purpose::guessed_sitemap: return kIsSitemap | kIsRequisite;
    case crawler::Purpose::guess: return kIsGuess;
    case crawler::Purpose::probe: break;
  }
  CHECK(false, "probes are not stored");
}

crawler::Purpose purpose_in(std::uint64_t flags) {
  if ((flags & kIsSitemap) == 0) {
    if ((flags & kIsRoot) != 0) return crawler::Purpose::root;
    if ((flags & kIsGuess) != 0) return crawler::Purpose::guess;
    return (flags & kIsRequisite) != 0 ? crawler::Purpose::requisite : crawler::Purpose::page;
  }
  if ((flags & kIsNested) != 0) return crawler::Purpose::nested_sitemap;
  return (flags & kIsRequisite) != 0 ? crawler::Purpose::guessed_sitemap
                                     : crawler::Purpose::sitemap;
}

std::uint64_t flags_of(const crawler::Target& target) {
  return flag_of(target.purpose) | (target.is_leaf() ? kIsLeaf : 0U) |
         (target.leaf == crawler::Leaf::whole ? kIsAskedWhole : 0U);
}

crawler::Leaf leaf_in(std::uint64_t flags) {
  if ((flags & kIsLeaf) == 0) return crawler::Leaf::no;
  return (flags & kIsAskedWhole) != 0 ? crawler::Leaf::whole : crawler::Leaf::yes;
}

ChunkedTarget read_target(Unpacker& from, std::string_view origin, crawler::Referrer& via) {
  ChunkedTarget read;
  crawler::Target& target = read.target;
  const std::uint64_t flags = from.number();
  if ((flags & kHasFingerprint) != 0) read.fingerprint = from.fixed64();
  target.depth = static_cast<std::uint16_t>(from.number());
  target.redirects = static_cast<std::uint8_t>(from.number());
  target.score = static_cast<std::uint8_t>(from.number());
  if ((flags & kHasReferrer) != 0) {
    const std::string_view url = from.text();
    via = url.empty() ? crawler::Referrer() : crawler::Referrer(std::string(url));
  }
  target.via = via;
  target.purpose = purpose_in(flags);
  target.leaf = leaf_in(flags);
  target.url.append(origin).append(from.text());
  return read;
}

}  // namespace

void ChunkBuilder::add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
                       const crawler::Target& target) {
  CHECK(target.url.starts_with(origin), "{} is not of {}", target.url, origin);
  const bool has_referrer = count_ == 0 || target.via.url() != via_;
  Packer packer;
  packer.number(flags_of(target) | (fingerprint ? kHasFingerprint : 0U) |
                (has_referrer ? kHasReferrer : 0U));
  if (fingerprint) packer.fixed64(*fingerprint);
  packer.number(target.depth);
  packer.number(target.redirects);
  packer.number(target.score);
  if (has_referrer) packer.text(via_ = target.via.url());
  packer.text(std::string_view(target.url).substr(origin.size()));
  targets_ += std::move(packer).take();
  if (count_++ == 0) depth_ = target.depth;
}

std::string ChunkBuilder::take() {
  CHECK(count_ > 0);
  Packer packer;
  packer.number(std::exchange(count_, 0));
  packer.number(depth_);
  return std::move(packer).take() + std::exchange(targets_, {});
}

Result<ChunkHead> read_chunk_head(std::string_view chunk) {
  Unpacker from(chunk);
  const ChunkHead head = {.count = from.number(),
                          .depth = static_cast<std::uint16_t>(from.number())};
  if (!from.is_good() || head.count == 0) return fail(Errc::malformed, "invalid chunk of targets");
  return head;
}

Result<std::vector<ChunkedTarget>> read_chunk(std::string_view chunk, std::string_view origin) {
  Unpacker from(chunk);
  const std::uint64_t count = from.number();
  from.number();
  std::vector<ChunkedTarget> targets;
  crawler::Referrer via;
  for (std::uint64_t i = 0; i < count && from.is_good(); ++i) {
    targets.push_back(read_target(from, origin, via));
  }
  if (!from.is_good() || !from.is_at_end())
    return fail(Errc::malformed, "invalid chunk of targets");
  return targets;
}

}  // namespace gossamer::store

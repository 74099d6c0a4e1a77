#include "cluster/layout.h"

#include <bit>

#include "base/check.h"
#include "base/hash.h"
#include "base/number.h"

namespace gossamer::cluster {
namespace {

// 10^18 + x has 19 digits and fits into a signed 64-bit integer.
constexpr std::uint64_t kFirst = 1'000'000'000'000'000'000;
constexpr std::uint64_t kRange = 8'200'000'000'000'000'000;

// The first letters of keys.
constexpr std::string_view kCrawlKinds = "GMNOLW";
constexpr std::string_view kPartitionKinds = "CDFHJKPQRS";

constexpr std::size_t kHeadBytes = 2;  // count, live

std::size_t mask_bytes(std::size_t count) { return (count + 7) / 8; }

}  // namespace

std::string partition_key(std::string_view crawl, std::uint32_t partition) {
  return "C{" + std::string(crawl) + "." + std::to_string(partition) + "}";
}

std::string crawl_key(std::string_view crawl) { return "G{" + std::string(crawl) + "}"; }

std::string address_key(std::string_view crawl, std::string_view address) {
  const std::uint64_t group = base::hash64(address) % kAddressGroups;
  return "A{" + std::string(crawl) + ".a" + std::to_string(group) + "}";
}

bool is_key_of(std::string_view key, std::string_view crawl) noexcept {
  const std::size_t close = key.find('}');
  if (close == key.npos || !key.substr(1).starts_with('{')) return false;
  const char kind = key[0];
  std::string_view tag = key.substr(2, close - 2);
  if (!tag.starts_with(crawl)) return false;
  tag.remove_prefix(crawl.size());
  if (tag.empty()) return kCrawlKinds.contains(kind) && close + 1 == key.size();
  // A dot and a number. The crawls "m" and "m.5" have C{m.5} and C{m.5.0}.
  if (!tag.starts_with('.')) return false;
  tag.remove_prefix(1);
  const bool is_address = kind == 'A' && tag.starts_with('a');
  if (is_address) tag.remove_prefix(1);
  std::uint32_t number = 0;
  if (!base::parse_number(tag, number)) return false;
  if (is_address) return number < kAddressGroups;
  return kPartitionKinds.contains(kind) && number < kPartitions;
}

std::string fingerprint_digits(std::uint64_t fingerprint) {
  return std::to_string(kFirst + fingerprint % kRange);
}

std::string write_batch(const UrlBatch& batch) {
  CHECK(batch.count > 0 && batch.count <= kBatchMax && batch.live > 0);
  CHECK_EQ(std::popcount(batch.mask), int{batch.live});
  std::string out;
  out += static_cast<char>(batch.count);
  out += static_cast<char>(batch.live);
  for (std::size_t i = 0; i < mask_bytes(batch.count); ++i) {
    out += static_cast<char>(batch.mask >> (8 * i) & 0xff);
  }
  return out + batch.block;
}

Result<UrlBatch> read_batch(std::string_view text) {
  UrlBatch batch;
  if (text.size() >= kHeadBytes) {
    batch.count = static_cast<std::uint8_t>(text[0]);
    batch.live = static_cast<std::uint8_t>(text[1]);
  }
  const std::size_t mask_size = mask_bytes(batch.count);
  if (batch.count == 0 || batch.count > kBatchMax || text.size() < kHeadBytes + mask_size) {
    return fail(Errc::malformed, "a batch of URLs in Redis");
  }
  for (std::size_t i = 0; i < mask_size; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[kHeadBytes + i]);
    batch.mask |= std::uint64_t{byte} << (8 * i);
  }
  const bool is_beyond = batch.count < kBatchMax && batch.mask >> batch.count != 0;
  if (batch.live == 0 || std::popcount(batch.mask) != int{batch.live} || is_beyond) {
    return fail(Errc::malformed, "a batch of URLs in Redis");
  }
  batch.block = text.substr(kHeadBytes + mask_size);
  return batch;
}

}  // namespace gossamer::cluster

// The keys of a crawl in Redis, and the formats of what is stored there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::cluster {

// The partitions of a crawl. All keys of a partition are in one slot, so a function can change them
// together, and partitions are spread over the masters. BOUND: no crawl has more.
inline constexpr std::uint32_t kPartitions = 256;
// The groups of addresses, for pauses per address.
inline constexpr std::uint32_t kAddressGroups = 64;

// The keys that are passed to functions. REQUIRES: the name of the crawl is one of a
// redis::ServerUrl.
std::string partition_key(std::string_view crawl, std::uint32_t partition);
std::string crawl_key(std::string_view crawl);
std::string address_key(std::string_view crawl, std::string_view address);

// Returns whether a key is one of that crawl.
bool is_key_of(std::string_view key, std::string_view crawl) noexcept;

// A fingerprint as a number of 19 digits, which Redis stores in 8 bytes. It has 62.8 bits.
std::string fingerprint_digits(std::uint64_t fingerprint);

// BOUND: URLs in a batch.
inline constexpr std::size_t kBatchMax = 64;

// URLs of one host that were found together. Redis does not read `block`; the mask says which of
// its URLs are live: new when they were added.
struct UrlBatch {
  std::uint8_t count = 0;  // in the block
  std::uint8_t live = 0;
  std::uint64_t mask = 0;  // bit k: URL k of the block is live
  std::string block;

  bool is_live(std::size_t index) const noexcept { return (mask >> index & 1) != 0; }
};

// Writes a batch as functions store it. REQUIRES: count and live match the mask; neither is 0.
std::string write_batch(const UrlBatch& batch);
// Fails with Errc::malformed.
Result<UrlBatch> read_batch(std::string_view text);

}  // namespace gossamer::cluster

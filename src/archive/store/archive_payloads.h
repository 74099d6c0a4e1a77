// Remembers the payloads of an archive, so that each is stored only once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "warc/digest.h"
#include "warc/record_draft.h"

namespace gossamer::store {

// This is an interface. No call waits.
class KnownPayloads {
 public:
  virtual ~KnownPayloads() = default;
  virtual Result<std::optional<warc::Original>> find(const warc::Digest& payload) = 0;
  // The record is in the archive, and survives a power cut after synced() was called.
  virtual Result<void> add(const warc::Digest& payload, const warc::Original& original) = 0;
  virtual void synced() {}
};

// Keeps the payloads in memory. BOUND: this many entries of about 300 bytes; it keeps the first.
class PayloadsInMemory final : public KnownPayloads {
 public:
  static constexpr std::size_t kEntriesMax = 1'000'000;

  explicit PayloadsInMemory(std::size_t entries_max = kEntriesMax) noexcept
      : entries_max_(entries_max) {}

  Result<std::optional<warc::Original>> find(const warc::Digest& payload) override;
  Result<void> add(const warc::Digest& payload, const warc::Original& original) override;

 private:
  std::size_t entries_max_;
  std::unordered_map<std::string, warc::Original> entries_;  // by the bytes of the digest
};

}  // namespace gossamer::store

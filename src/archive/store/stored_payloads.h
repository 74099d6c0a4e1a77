#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "store/archive_payloads.h"
#include "store/journal.h"

namespace gossamer::store {

// Remembers the payloads in the archive of a crawl directory. The tables contain only records that
// survive a power cut, because a lost record that others refer to could not be detected later.
class StoredPayloads final : public KnownPayloads {
 public:
  // BORROWS: the journal.
  explicit StoredPayloads(Journal& journal);

  Result<std::optional<warc::Original>> find(const warc::Digest& payload) override;
  Result<void> add(const warc::Digest& payload, const warc::Original& original) override;
  void synced() override;

 private:
  using Rows = std::unordered_map<std::string, std::string>;

  Journal& journal_;
  Rows fresh_;    // of records that are not synced
  Rows pending_;  // of synced records since the last commit
};

std::string pack_original(const warc::Original& original);
Result<warc::Original> unpack_original(std::string_view row);

}  // namespace gossamer::store

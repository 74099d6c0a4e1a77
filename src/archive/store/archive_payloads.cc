#include "store/archive_payloads.h"

namespace gossamer::store {

Result<std::optional<warc::Original>> PayloadsInMemory::find(const warc::Digest& payload) {
  const auto found = entries_.find(std::string(as_text(payload.value())));
  if (found == entries_.end()) return std::nullopt;
  return found->second;
}

Result<void> PayloadsInMemory::add(const warc::Digest& payload, const warc::Original& original) {
  if (entries_.size() < entries_max_) {
    entries_.try_emplace(std::string(as_text(payload.value())), original);
  }
  return {};
}

}  // namespace gossamer::store

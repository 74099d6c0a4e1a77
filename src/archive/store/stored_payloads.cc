#include "store/stored_payloads.h"

#include <utility>

#include "base/packing.h"

namespace gossamer::store {
namespace {

std::string key_of(const warc::Digest& payload) { return payload.to_string(); }

}  // namespace

std::string pack_original(const warc::Original& original) {
  Packer packer;
  packer.text(original.record_id);
  packer.text(original.target_uri);
  packer.signed_number(original.date.seconds);
  packer.number(original.date.nanoseconds);
  return std::move(packer).take();
}

Result<warc::Original> unpack_original(std::string_view row) {
  Unpacker from(row);
  warc::Original original = {
      .record_id = std::string(from.text()), .target_uri = std::string(from.text()), .date = {}};
  original.date.seconds = from.signed_number();
  original.date.nanoseconds = static_cast<std::uint32_t>(from.number());
  if (!from.is_good()) return fail(Errc::malformed, "invalid row of a payload");
  return original;
}

StoredPayloads::StoredPayloads(Journal& journal) : journal_(journal) {
  journal.before_commit([this](Batch& batch) {
    for (auto& [key, row] : std::exchange(pending_, {})) batch.put(Table::payloads, key, row);
  });
}

Result<std::optional<warc::Original>> StoredPayloads::find(const warc::Digest& payload) {
  const std::string key = key_of(payload);
  const Journal::Lock lock = journal_.lock();
  std::optional<std::string> row;
  for (const Rows* const rows : {&fresh_, &pending_}) {
    if (const auto found = rows->find(key); found != rows->end()) row = found->second;
  }
  if (!row) {
    auto kept = journal_.tables().get(Table::payloads, key);
    if (!kept) return fail(std::move(kept).error());
    row = std::move(*kept);
  }
  if (!row) return std::optional<warc::Original>();
  auto original = unpack_original(*row);
  if (!original) return fail(std::move(original).error());
  return std::optional(std::move(*original));
}

Result<void> StoredPayloads::add(const warc::Digest& payload, const warc::Original& original) {
  const Journal::Lock lock = journal_.lock();
  // With Durability::none a sync may be hours away, so this does not wait for it.
  Rows& rows = journal_.durability() == Durability::none ? pending_ : fresh_;
  rows.insert_or_assign(key_of(payload), pack_original(original));
  return {};
}

void StoredPayloads::synced() {
  const Journal::Lock lock = journal_.lock();
  pending_.merge(fresh_);
  fresh_.clear();
}

}  // namespace gossamer::store

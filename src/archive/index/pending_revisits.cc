#include "index/pending_revisits.h"

#include <algorithm>

#include "index/archive_indexer.h"

namespace gossamer::index {
namespace {

constexpr std::size_t kRevisitsMax = 100'000;

}  // namespace

bool PendingRevisits::add(Revisit revisit, const OpenArchive& archive) {
  const bool has_room = revisits_.size() < kRevisitsMax;
  if (archive.stage != OpenArchive::Stage::unplaced) {
    Held& held = held_[archive.name];
    held.first = std::min(held.first, revisit.origin.offset);
    if (!has_room) held.first_lost = std::min(held.first_lost, revisit.origin.offset);
  }
  if (has_room) revisits_.push_back(std::move(revisit));
  return has_room;
}

ArchivePosition PendingRevisits::position_in(const OpenArchive& archive) {
  const auto held = held_.find(archive.name);
  if (held == held_.end()) return archive_position(archive.begin, archive.position);
  held->second.end = archive.position;
  held->second.begin = archive.begin;
  return archive_position(archive.begin, std::min(archive.position, held->second.first));
}

std::vector<Revisit> PendingRevisits::take() {
  for (auto& [archive, held] : held_) held.first = held.first_lost;
  return std::exchange(revisits_, {});
}

void PendingRevisits::keep(const PageOrigin& origin) {
  const auto held = held_.find(origin.archive);
  if (held != held_.end()) held->second.first = std::min(held->second.first, origin.offset);
}

std::vector<std::pair<ArchiveName, ArchivePosition>> PendingRevisits::positions() const {
  std::vector<std::pair<ArchiveName, ArchivePosition>> all;
  for (const auto& [archive, held] : held_) {
    all.emplace_back(archive, archive_position(held.begin, std::min(held.end, held.first)));
  }
  return all;
}

}  // namespace gossamer::index

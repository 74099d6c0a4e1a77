#include "scope/seen_set.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/log.h"
#include "base/random.h"
#include "scope/scale_hash.h"
#include "scope/spilled_keys.h"

namespace gossamer::crawler {
namespace {

constexpr std::uint32_t kFirstSegmentCapacity = 64;
constexpr std::uint32_t kGrowthDivisor = 4;  // by a quarter
constexpr std::uint32_t kOverflowSlots = 32;
// Shares of the memory: for recently requested spilled keys, at least for new ones, and the excess
// at which a failed storage is tried again.
constexpr std::size_t kRecentShare = 16;
constexpr std::size_t kTablesShareMin = 4;
constexpr std::size_t kTablesBytesMin = 512 * 1024;  // segments have a minimum size
constexpr std::size_t kTryAgainShare = 16;

std::size_t bytes_of(std::uint32_t capacity) noexcept {
  return capacity == 0 ? 0 : (capacity + kOverflowSlots) * sizeof(std::uint64_t);
}

// Segments start with different sizes, one growth step apart from first to last, so they never grow
// at the same time.
std::uint32_t first_capacity(std::size_t index, std::size_t segments) noexcept {
  const std::size_t extra = kFirstSegmentCapacity * index / (kGrowthDivisor * segments);
  return kFirstSegmentCapacity + static_cast<std::uint32_t>(extra);
}

}  // namespace

SeenSet::SeenSet(std::uint64_t salt) noexcept : salt_(salt) {}
SeenSet::~SeenSet() = default;

void SeenSet::spill_to(SeenSpill spill) {
  CHECK(spilled_ == nullptr && spill.storage != nullptr);
  bytes_max_ = spill.bytes_max;
  spilled_ = std::make_unique<SpilledKeys>(*spill.storage, segments_.size(),
                                           bytes_max_ / kRecentShare, std::move(spill.on_failure));
  make_room();
}

bool SeenSet::insert(std::uint64_t fingerprint) {
  const std::uint64_t key = key_of(fingerprint);
  if (key == kFree) {
    const bool is_new = !std::exchange(has_free_key_, true);
    if (is_new) ++size_;
    return is_new;
  }
  const std::size_t index = key >> (64 - kSegmentBits);
  Segment& segment = segments_[index];
  if (segment.capacity == 0) grow(segment, index);
  std::uint64_t* slot = find(segment, key);
  if (*slot == key) return false;
  if (spilled_ != nullptr && spilled_->contains(index, key)) return false;
  while (segment.size >= segment.size_max || !place(segment, slot, key)) {
    grow(segment, index);
    slot = find(segment, key);
  }
  ++segment.size;
  ++size_;
  if (table_bytes_ > table_bytes_max_) make_room();
  return true;
}

bool SeenSet::contains(std::uint64_t fingerprint) const {
  const std::uint64_t key = key_of(fingerprint);
  if (key == kFree) return has_free_key_;
  const std::size_t index = key >> (64 - kSegmentBits);
  const Segment& segment = segments_[index];
  if (segment.capacity != 0 && *find(segment, key) == key) return true;
  return spilled_ != nullptr && spilled_->contains(index, key);
}

std::size_t SeenSet::spilled() const noexcept { return spilled_ == nullptr ? 0 : spilled_->size(); }

std::size_t SeenSet::memory_bytes() const noexcept {
  return sizeof(*this) + table_bytes_ + (spilled_ == nullptr ? 0 : spilled_->memory_bytes());
}

void SeenSet::make_room() {
  const auto room = [this] {
    const std::size_t others = spilled_->memory_bytes();
    return std::max(
        {bytes_max_ - std::min(bytes_max_, others), bytes_max_ / kTablesShareMin, kTablesBytesMin});
  };
  while (table_bytes_ > room()) {
    const auto largest = std::ranges::max_element(segments_, {}, &Segment::capacity);
    if (spill(static_cast<std::size_t>(largest - segments_.begin()))) continue;
    // This costs only memory.
    table_bytes_max_ = table_bytes_ + bytes_max_ / kTryAgainShare;
    return;
  }
  table_bytes_max_ = room();
}

bool SeenSet::spill(std::size_t index) {
  Segment& segment = segments_[index];
  std::vector<std::uint64_t> keys;
  keys.reserve(segment.size);
  for (std::uint32_t i = 0; i < segment.capacity + kOverflowSlots; ++i) {
    if (segment.slots[i] != kFree) keys.push_back(segment.slots[i]);
  }
  if (auto added = spilled_->add(index, keys); !added) {
    LOG(warn, "cannot store seen URLs on disk; keeping them in memory: {}",
        added.error().message());
    return false;
  }
  table_bytes_ -= bytes_of(segment.capacity);
  segment = Segment();
  return true;
}

// Bijective, so that distinct fingerprints stay distinct.
std::uint64_t SeenSet::key_of(std::uint64_t fingerprint) const noexcept {
  std::uint64_t state = fingerprint ^ salt_;
  return base::splitmix64(state);
}

// Returns the slot of the key, or the slot for it: a free one, or that of a greater key. The upper
// bits select the segment, the bits below them select the home.
std::uint64_t* SeenSet::find(const Segment& segment, std::uint64_t key) noexcept {
  std::uint64_t* slot = segment.slots.get() + scale_hash(key << kSegmentBits, segment.capacity);
  while (*slot < key) ++slot;
  return slot;
}

// Moves greater keys up to the next free slot. Does nothing and returns false if that is the last.
bool SeenSet::place(Segment& segment, std::uint64_t* slot, std::uint64_t key) noexcept {
  std::uint64_t* free = slot;
  while (*free != kFree) ++free;
  if (free == segment.slots.get() + segment.capacity + kOverflowSlots - 1) return false;
  std::move_backward(slot, free, free + 1);
  *slot = key;
  return true;
}

// Puts each key into its home or, as they are sorted, after the previous one. Returns false if
// there is no room at the end.
bool SeenSet::lay_out(const Segment& from, Segment& to) noexcept {
  const std::uint32_t from_end = from.capacity == 0 ? 0 : from.capacity + kOverflowSlots;
  const std::uint32_t last = to.capacity + kOverflowSlots - 1;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < from_end; ++i) {
    const std::uint64_t key = from.slots[i];
    if (key == kFree) continue;
    const auto home = static_cast<std::uint32_t>(scale_hash(key << kSegmentBits, to.capacity));
    next = std::max(home, next);
    if (next == last) return false;
    to.slots[next++] = key;
  }
  return true;
}

void SeenSet::grow(Segment& segment, std::size_t index) {
  Segment grown;
  grown.capacity = segment.capacity;
  grown.size = segment.size;
  do {
    grown.capacity = grown.capacity == 0 ? first_capacity(index, std::size_t{1} << kSegmentBits)
                                         : grown.capacity + grown.capacity / kGrowthDivisor;
    const std::uint32_t end = grown.capacity + kOverflowSlots;
    grown.slots = std::make_unique_for_overwrite<std::uint64_t[]>(end);
    std::fill_n(grown.slots.get(), end, kFree);
  } while (!lay_out(segment, grown));
  grown.size_max = grown.capacity / 5 * 4;
  table_bytes_ += bytes_of(grown.capacity) - bytes_of(segment.capacity);
  segment = std::move(grown);
}

}  // namespace gossamer::crawler

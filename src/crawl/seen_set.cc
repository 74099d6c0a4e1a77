#include "crawl/seen_set.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "crawl/scale_hash.h"

namespace gossamer::crawl {
namespace {

constexpr std::uint32_t kFirstCapacity = 64;
constexpr std::uint32_t kGrowthDivisor = 4;  // by a quarter
constexpr std::uint32_t kSpillSlots = 32;

// Segments start with different sizes, a growth step apart from first to last, and so never grow
// all at once.
std::uint32_t first_capacity(std::size_t index, std::size_t segments) noexcept {
  const std::size_t extra = kFirstCapacity * index / (kGrowthDivisor * segments);
  return kFirstCapacity + static_cast<std::uint32_t>(extra);
}

}  // namespace

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
  while (segment.size >= segment.size_max || !place(segment, slot, key)) {
    grow(segment, index);
    slot = find(segment, key);
  }
  ++segment.size;
  ++size_;
  return true;
}

bool SeenSet::contains(std::uint64_t fingerprint) const noexcept {
  const std::uint64_t key = key_of(fingerprint);
  if (key == kFree) return has_free_key_;
  const Segment& segment = segments_[key >> (64 - kSegmentBits)];
  return segment.capacity != 0 && *find(segment, key) == key;
}

std::size_t SeenSet::memory_bytes() const noexcept {
  std::size_t bytes = sizeof(*this);
  for (const Segment& segment : segments_) {
    if (segment.capacity != 0) bytes += (segment.capacity + kSpillSlots) * sizeof(std::uint64_t);
  }
  return bytes;
}

// One to one, so no two fingerprints become one.
std::uint64_t SeenSet::key_of(std::uint64_t fingerprint) const noexcept {
  std::uint64_t state = fingerprint ^ salt_;
  return base::splitmix64(state);
}

// The slot that holds the key, or where it would have to stand: a free one, or that of a greater
// key. The upper bits have chosen the segment, those below choose the home.
std::uint64_t* SeenSet::find(const Segment& segment, std::uint64_t key) noexcept {
  std::uint64_t* slot = segment.slots.get() + scale_hash(key << kSegmentBits, segment.capacity);
  while (*slot < key) ++slot;
  return slot;
}

// Moves greater keys up to the next free slot. False, and nothing done, if that is the last one.
bool SeenSet::place(Segment& segment, std::uint64_t* slot, std::uint64_t key) noexcept {
  std::uint64_t* free = slot;
  while (*free != kFree) ++free;
  if (free == segment.slots.get() + segment.capacity + kSpillSlots - 1) return false;
  std::move_backward(slot, free, free + 1);
  *slot = key;
  return true;
}

// Each key goes to its home or, as they come in ascending order, behind the one before. False if
// there is no room left at the end.
bool SeenSet::lay_out(const Segment& from, Segment& to) noexcept {
  const std::uint32_t from_end = from.capacity == 0 ? 0 : from.capacity + kSpillSlots;
  const std::uint32_t last = to.capacity + kSpillSlots - 1;
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
    const std::uint32_t end = grown.capacity + kSpillSlots;
    grown.slots = std::make_unique_for_overwrite<std::uint64_t[]>(end);
    std::fill_n(grown.slots.get(), end, kFree);
  } while (!lay_out(segment, grown));
  grown.size_max = grown.capacity / 5 * 4;
  segment = std::move(grown);
}

}  // namespace gossamer::crawl

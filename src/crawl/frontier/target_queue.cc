#include "frontier/target_queue.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace gossamer::crawler {
namespace {

// Blocks start small, because most hosts have few targets, and grow with the queue.
constexpr std::size_t kBlockBytesMin = 256;
constexpr std::size_t kBlockBytesMax = 64 * 1024;

// The flags: three bits for the purpose, two for the leaf, and one for a ticket.
constexpr std::uint8_t kPurposeMask = 7;
constexpr std::uint8_t kLeafShift = 3;
constexpr std::uint8_t kLeafMask = 3;
constexpr std::uint8_t kHasTicket = 128;
constexpr std::size_t kFixedBytes = 10;
constexpr std::size_t kOverhead = kFixedBytes + sizeof(void*) + sizeof(std::uint32_t);

template <class T>
void put(char*& at, const T& value) noexcept {
  std::memcpy(at, &value, sizeof value);
  at += sizeof value;
}

template <class T>
T take(const char*& at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

std::uint32_t size_before(const char* end) noexcept {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, end - sizeof bytes, sizeof bytes);
  return bytes;
}

std::uint32_t size_at(const char* begin) noexcept {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, begin, sizeof bytes);
  return bytes;
}

}  // namespace

TargetQueue::~TargetQueue() {
  for (Band& band : bands_) {
    for (std::size_t i = band.head; i < band.blocks.size(); ++i) {
      const Block& block = band.blocks[i];
      for (std::uint32_t at = block.begin; at < block.end;) {
        const char* const entry = block.bytes.get() + at;
        at += size_at(entry);
        const char* referrer = entry + kFixedBytes;
        Referrer::adopt(take<void*>(referrer));
      }
    }
  }
}

std::uint32_t rank_of(const Target& target, CrawlOrder order) noexcept {
  switch (order) {
    case CrawlOrder::breadth_first: return target.depth;
    case CrawlOrder::depth_first: return 0;
    case CrawlOrder::score: return 255U - target.score;
  }
  return 0;
}

TargetQueue::Band& TargetQueue::band_of(std::uint32_t rank) {
  // From the end, because new targets are mostly deeper, and there are few bands.
  auto place = bands_.begin();
  while (place != bands_.end() && place->rank > rank) ++place;
  if (place != bands_.end() && place->rank == rank) return *place;
  Band band;
  band.rank = rank;
  return *bands_.insert(place, std::move(band));
}

TargetQueue::Block& TargetQueue::room_in(Band& band, std::size_t bytes) {
  if (!band.blocks.empty()) {
    Block& last = band.blocks.back();
    if (last.capacity - last.end >= bytes) return last;
  }
  std::size_t held = 0;
  for (std::size_t i = band.head; i < band.blocks.size(); ++i) held += band.blocks[i].capacity;
  const std::size_t capacity =
      std::max(bytes, std::clamp(held / 2, kBlockBytesMin, kBlockBytesMax));
  Block block;
  block.bytes = std::make_unique_for_overwrite<char[]>(capacity);
  block.capacity = static_cast<std::uint32_t>(capacity);
  return band.blocks.emplace_back(std::move(block));
}

void TargetQueue::push(Target target, std::string_view origin, CrawlOrder order) {
  CHECK(target.url.starts_with(origin), "{} is not of {}", target.url, origin);
  const std::string_view path = std::string_view(target.url).substr(origin.size());
  const std::size_t bytes =
      path.size() + kOverhead + (target.ticket == 0 ? 0 : sizeof target.ticket);
  Block& block = room_in(band_of(rank_of(target, order)), bytes);
  char* at = block.bytes.get() + block.end;
  put(at, static_cast<std::uint32_t>(bytes));
  put(at, target.depth);
  put(at, target.redirects);
  put(at, target.tries);
  put(at, static_cast<std::uint8_t>(static_cast<unsigned>(target.purpose) |
                                    static_cast<unsigned>(target.leaf) << kLeafShift |
                                    (target.ticket == 0 ? 0U : kHasTicket)));
  put(at, target.score);
  put(at, std::move(target.via).release());
  if (target.ticket != 0) put(at, target.ticket);
  std::memcpy(at, path.data(), path.size());
  at += path.size();
  put(at, static_cast<std::uint32_t>(bytes));
  block.end += static_cast<std::uint32_t>(bytes);
  ++size_;
}

Target TargetQueue::read(const char* at, std::string_view origin) {
  const auto bytes = take<std::uint32_t>(at);
  Target target;
  target.depth = take<std::uint16_t>(at);
  target.redirects = take<std::uint8_t>(at);
  target.tries = take<std::uint8_t>(at);
  const auto flags = take<std::uint8_t>(at);
  target.purpose = static_cast<Purpose>(flags & kPurposeMask);
  target.leaf = static_cast<Leaf>(flags >> kLeafShift & kLeafMask);
  target.score = take<std::uint8_t>(at);
  target.via = Referrer::adopt(take<void*>(at));
  std::size_t path_bytes = bytes - kOverhead;
  if ((flags & kHasTicket) != 0) {
    target.ticket = take<std::uint64_t>(at);
    path_bytes -= sizeof target.ticket;
  }
  target.url.reserve(origin.size() + path_bytes);
  target.url.append(origin).append(at, path_bytes);
  return target;
}

Target TargetQueue::pop_first(Band& band, std::string_view origin) {
  Block& block = band.blocks[band.head];
  const char* const entry = block.bytes.get() + block.begin;
  block.begin += size_at(entry);
  Target target = read(entry, origin);
  if (block.begin < block.end) return target;
  block.bytes.reset();
  ++band.head;
  if (band.head < band.blocks.size() && band.head < 64) return target;
  band.blocks.erase(band.blocks.begin(),
                    band.blocks.begin() + static_cast<std::ptrdiff_t>(band.head));
  band.head = 0;
  return target;
}

Target TargetQueue::pop_last(Band& band, std::string_view origin) {
  Block& block = band.blocks.back();
  const std::uint32_t bytes = size_before(block.bytes.get() + block.end);
  block.end -= bytes;
  Target target = read(block.bytes.get() + block.end, origin);
  if (block.begin == block.end) band.blocks.pop_back();
  return target;
}

Target TargetQueue::pop(std::string_view origin, CrawlOrder order) {
  return pop_next(origin, order == CrawlOrder::depth_first);
}

Target TargetQueue::pop_opposite(std::string_view origin, CrawlOrder order) {
  return pop_next(origin, order != CrawlOrder::depth_first);
}

Target TargetQueue::pop_next(std::string_view origin, bool is_newest) {
  CHECK(!empty());
  Band& band = bands_.back();
  Target target = is_newest ? pop_last(band, origin) : pop_first(band, origin);
  --size_;
  if (band.head == band.blocks.size()) bands_.pop_back();
  return target;
}

Target TargetQueue::pop_other(std::string_view origin) {
  CHECK(!empty());
  Target target = pop_first(bands_.front(), origin);
  --size_;
  if (bands_.front().head == bands_.front().blocks.size()) bands_.erase(bands_.begin());
  return target;
}

std::uint16_t TargetQueue::next_depth() const {
  CHECK(!empty());
  return static_cast<std::uint16_t>(bands_.back().rank);
}

std::size_t TargetQueue::memory_bytes() const noexcept {
  std::size_t bytes = bands_.capacity() * sizeof(Band);
  for (const Band& band : bands_) {
    bytes += band.blocks.capacity() * sizeof(Block);
    for (std::size_t i = band.head; i < band.blocks.size(); ++i) bytes += band.blocks[i].capacity;
  }
  return bytes;
}

}  // namespace gossamer::crawler

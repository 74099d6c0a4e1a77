#include "tests/simulated/buffer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.h"

namespace gossamer::sim {
namespace {

// Small enough for a waiting connection, large enough for most request heads.
constexpr std::size_t kFirstBytes = 512;

constexpr std::size_t twice(std::size_t size) {
  constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();
  return size > kMax / 2 ? kMax : 2 * size;
}

}  // namespace

Buffer::Buffer(std::size_t bytes_max) noexcept : bytes_max_(bytes_max) {}

Buffer::Buffer(Buffer&& other) noexcept
    : storage_(std::move(other.storage_)),
      capacity_(std::exchange(other.capacity_, 0)),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0)),
      bytes_max_(other.bytes_max_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this == &other) return *this;
  storage_ = std::move(other.storage_);
  capacity_ = std::exchange(other.capacity_, 0);
  begin_ = std::exchange(other.begin_, 0);
  end_ = std::exchange(other.end_, 0);
  bytes_max_ = other.bytes_max_;
  return *this;
}

Result<void> Buffer::append(Bytes bytes) {
  const auto spare = prepare(bytes.size());
  if (!spare) return fail(Errc::over_limit);
  if (!bytes.empty()) std::memcpy(spare->data(), bytes.data(), bytes.size());
  commit(bytes.size());
  return {};
}

Result<MutableBytes> Buffer::prepare(std::size_t size) {
  if (size > room()) return fail(Errc::over_limit);
  if (size > capacity_ - end_) make_spare(size);
  return MutableBytes(storage_.get() + end_, size);
}

void Buffer::commit(std::size_t size) {
  CHECK(size <= capacity_ - end_);
  CHECK(size <= room());
  end_ += size;
}

void Buffer::consume(std::size_t size) {
  CHECK(size <= this->size());
  begin_ += size;
  if (begin_ == end_) clear();
}

void Buffer::release() noexcept {
  storage_.reset();
  capacity_ = 0;
  clear();
}

// Why this is O(1) amortised: bytes move within the storage only after at least as many were
// consumed, and into new storage only when it doubles. Why doubling may stop at 2 * bytes_max_: if
// such storage has too little spare room, then begin_ > 2 * bytes_max_ - (size() + size) >=
// bytes_max_ >= size(), so the bytes may move.
void Buffer::make_spare(std::size_t size) {
  const std::size_t live = this->size();
  const std::size_t needed = live + size;
  if (needed <= capacity_ && begin_ >= live) {
    std::memmove(storage_.get(), storage_.get() + begin_, live);
  } else {
    const std::size_t wanted = std::max({needed, twice(capacity_), kFirstBytes});
    const std::size_t capacity = std::min(wanted, twice(bytes_max_));
    auto storage = std::make_unique_for_overwrite<std::byte[]>(capacity);
    if (live != 0) std::memcpy(storage.get(), storage_.get() + begin_, live);
    storage_ = std::move(storage);
    capacity_ = capacity;
  }
  begin_ = 0;
  end_ = live;
}

}  // namespace gossamer::sim

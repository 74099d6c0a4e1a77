// A growable byte buffer with a hard limit: filled at the back, emptied at the front.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::sim {

//   storage_                                   storage_ + capacity_
//   |  consumed  |   view(), size() bytes   |  spare  |
//                begin_                     end_
//
// The buffer allocates nothing before the first byte arrives. Both ends cost O(1) amortised per
// byte: bytes move to the front of the storage only after at least as many were consumed.
// BOUND: size() <= bytes_max(), memory <= 2 * bytes_max().
//
// Views handed out stay valid until the next append, prepare, release, move or destruction.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes_max) noexcept;
  Buffer(Buffer&& other) noexcept;  // `other` is then empty and keeps its limit
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() = default;

  std::size_t size() const noexcept { return end_ - begin_; }
  bool empty() const noexcept { return end_ == begin_; }
  std::size_t bytes_max() const noexcept { return bytes_max_; }
  std::size_t capacity() const noexcept { return capacity_; }
  // Returns how many bytes can still be appended.
  std::size_t room() const noexcept { return bytes_max_ - size(); }

  Bytes view() const noexcept { return {storage_.get() + begin_, size()}; }
  std::string_view text() const noexcept { return as_text(view()); }

  // Appends all of `bytes` or nothing. Fails with Errc::over_limit when they do not fit, and then
  // leaves the buffer unchanged. REQUIRES: `bytes` is not a view of this buffer.
  Result<void> append(Bytes bytes);
  Result<void> append(std::string_view text) { return append(as_bytes(text)); }

  // Returns `size` writable bytes after the last one, to read into directly. commit() makes them
  // part of the buffer. Fails like append().
  Result<MutableBytes> prepare(std::size_t size);
  // REQUIRES: size <= what the last prepare() gave, and nothing was appended since.
  void commit(std::size_t size);

  // Drops bytes from the front. REQUIRES: size <= size().
  void consume(std::size_t size);
  // Drops all bytes and keeps the memory for later ones.
  void clear() noexcept { begin_ = end_ = 0; }
  // Drops all bytes and frees the memory.
  void release() noexcept;

 private:
  // Makes at least `size` spare bytes. REQUIRES: size <= room().
  void make_spare(std::size_t size);

  std::unique_ptr<std::byte[]> storage_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t bytes_max_;
};

}  // namespace gossamer::sim

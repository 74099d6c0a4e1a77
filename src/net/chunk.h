#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "async/socket.h"
#include "base/bytes.h"

namespace gossamer::net {

// A block for bytes that were decrypted. Blocks are recycled per thread, the last used first
// because it is warm; a connection that waits owns none.
class PlainBlock {
 public:
  // What one lent buffer of ciphertext decrypts to, and the record that was begun before it.
  static constexpr std::size_t kBytes = (64 + 16) * 1024;
  // Blocks that a thread keeps for the next reader.
  static constexpr std::size_t kSparesMax = 8;

  struct GiveBack {
    void operator()(PlainBlock* block) const noexcept;
  };
  using Owner = std::unique_ptr<PlainBlock, GiveBack>;

  static Owner take();
  // Blocks of this thread that somebody holds.
  static std::size_t lent() noexcept;

  MutableBytes room() { return {bytes_, kBytes}; }
  void set_size(std::size_t size) { size_ = static_cast<std::uint32_t>(size); }
  Bytes bytes() const { return {bytes_, size_}; }

 private:
  std::uint32_t size_ = 0;
  std::byte bytes_[kBytes];
};

// Bytes that arrived on a Stream, in a buffer that belongs to the loop: the driver's own when the
// stream is plain, a block of decrypted ones when it is TLS. Give it back (by destroying it) before
// you wait for anything else.
class [[nodiscard]] Chunk {
 public:
  Chunk() = default;
  explicit Chunk(async::Lent lent) noexcept : lent_(std::move(lent)) {}
  explicit Chunk(PlainBlock::Owner block) noexcept : block_(std::move(block)) {}

  Bytes bytes() const {
    if (block_ == nullptr) [[likely]]
      return lent_.bytes();
    return block_->bytes();
  }
  std::size_t size() const { return bytes().size(); }
  // The peer has sent all it will send, and over TLS has said so.
  bool end() const { return size() == 0; }

 private:
  async::Lent lent_;
  PlainBlock::Owner block_;
};

static_assert(sizeof(Chunk) <= 32);

}  // namespace gossamer::net

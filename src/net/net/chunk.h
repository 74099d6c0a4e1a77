#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "async/socket.h"
#include "base/bytes.h"

namespace gossamer::net {

// A block for decrypted bytes. Blocks are recycled per thread, the last used first because it is
// still in the cache; a waiting connection owns none.
class PlainBlock {
 public:
  // Room for the plaintext of one lent buffer of ciphertext, and for the record begun before it.
  static constexpr std::size_t kBytes = (64 + 16) * 1024;
  // Blocks that a thread keeps for reuse.
  static constexpr std::size_t kSparesMax = 8;

  struct GiveBack {
    void operator()(PlainBlock* block) const noexcept;
  };
  using Owner = std::unique_ptr<PlainBlock, GiveBack>;

  static Owner take();
  // Returns the number of blocks of this thread that are in use.
  static std::size_t lent() noexcept;

  MutableBytes room() { return {bytes_, kBytes}; }
  void set_size(std::size_t size) { size_ = static_cast<std::uint32_t>(size); }
  Bytes bytes() const { return {bytes_, size_}; }

 private:
  std::uint32_t size_ = 0;
  std::byte bytes_[kBytes];
};

// Bytes received on a Stream, in a buffer that belongs to the loop: the driver's own for a plain
// stream, a block of decrypted bytes for TLS. Destroy it before you wait for anything else.
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
  // Returns whether the peer has ended the stream, over TLS explicitly.
  bool end() const { return size() == 0; }

 private:
  async::Lent lent_;
  PlainBlock::Owner block_;
};

static_assert(sizeof(Chunk) <= 32);

}  // namespace gossamer::net

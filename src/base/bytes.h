// How bytes are passed around: Bytes for what is not known to be text (bodies, records, what a
// socket gave), std::string_view for what is read as text. Both are views, and going from one to
// the other costs nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gossamer::base {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

// BORROWS: the result views what the argument views.
inline std::string_view as_text(Bytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline Bytes as_bytes(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// Appends to a text that arrives in pieces and may become as large as `bytes_max`. A string that
// doubles its room copies all that it has, 32 MB in one step of the loop, so a text that is large
// already gets all of its room. Memory is taken only where something is written.
// BOUND: copies kCopiedBytesMax, and what is beyond `bytes_max` or kRoomMax by doubling.
inline void append_large(std::string& text, std::string_view piece, std::size_t bytes_max) {
  constexpr std::size_t kCopiedBytesMax = 1024 * 1024;
  constexpr std::size_t kRoomMax = 64 * 1024 * 1024;
  const std::size_t size = text.size() + piece.size();
  if (size > text.capacity() && size > kCopiedBytesMax) {
    text.reserve(std::max(2 * text.size(), std::min(bytes_max, kRoomMax)));
  }
  text.append(piece);
}

}  // namespace gossamer::base

namespace gossamer {
using base::append_large;
using base::as_bytes;
using base::as_text;
using base::Bytes;
using base::MutableBytes;
}  // namespace gossamer

// The two types of byte views: Bytes for data that need not be text (bodies, records, socket input)
// and std::string_view for text. Converting between them costs nothing.
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

// Appends to a text that arrives in pieces and may grow to `bytes_max`. A string that doubles its
// capacity copies everything it holds, up to 32 MB in one step of the loop, so a text that is
// already large reserves its full size. The kernel provides memory only for pages that are written.
// BOUND: copies kCopiedBytesMax. Text beyond `bytes_max` or kRoomMax grows by doubling.
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

// How bytes are passed around: Bytes for what is not known to be text (bodies, records, what a
// socket gave), std::string_view for what is read as text. Both are views, and going from one to
// the other costs nothing.
#pragma once

#include <cstddef>
#include <span>
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

}  // namespace gossamer::base

namespace gossamer {
using base::as_bytes;
using base::as_text;
using base::Bytes;
using base::MutableBytes;
}  // namespace gossamer

// The slots of Redis Cluster: which node has a key.
#pragma once

#include <cstdint>
#include <string_view>

namespace gossamer::redis {

inline constexpr std::uint16_t kSlots = 16384;

// Returns the slot of a key. If the key has a tag ("{a}" in "x{a}y"), only the tag counts.
std::uint16_t slot_of(std::string_view key) noexcept;

}  // namespace gossamer::redis

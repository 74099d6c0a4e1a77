// The keys of a stored queue.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scope/stored_count.h"

namespace gossamer::store {

// The rows of Table::origins. A key begins with its kind.
enum class OriginRow : char { count = 'c', id = 'o', name = 'i', host = 'h', rules = 'r' };

std::string origin_key(OriginRow kind, std::string_view name = {});
inline bool is_key_of(OriginRow kind, std::string_view key) {
  return key.starts_with(static_cast<char>(kind));
}
std::string name_key(std::uint32_t id);

inline constexpr std::size_t kCountKeyBytes = 1 + 2 + 1 + 8;
std::string count_key(std::uint16_t site, const crawler::StoredCount& count);

// The position of a chunk among those of its origin.
struct ChunkPlace {
  std::uint32_t rank = 0;
  std::uint64_t number = 0;
  friend auto operator<=>(const ChunkPlace&, const ChunkPlace&) = default;
};

// The pseudo origin of targets in transfer between loops.
inline constexpr std::uint32_t kMessagesId = 0;

// A key of Table::waiting.
struct ChunkKey {
  std::uint32_t origin = 0;
  ChunkPlace place;

  static constexpr std::size_t kBytes = 4 + 4 + 8;
  std::string text() const;
  // REQUIRES: the key has kBytes.
  static ChunkKey read(std::string_view key);
};

}  // namespace gossamer::store

// Fast non-cryptographic hashes (XXH3). The values are part of file formats: they are the same on
// every machine and must never change. An attacker who chooses the bytes can make them collide, so
// equal hashes do not prove equal contents.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/bytes.h"

struct XXH3_state_s;

namespace gossamer::base {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;
};

std::uint64_t hash64(Bytes bytes, std::uint64_t seed = 0) noexcept;
std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0) noexcept;

Hash128 hash128(Bytes bytes, std::uint64_t seed = 0) noexcept;
Hash128 hash128(std::string_view text, std::uint64_t seed = 0) noexcept;

// Computes hash64 of data that arrives in pieces. Holds about 600 bytes on the heap.
class Hasher64 {
 public:
  explicit Hasher64(std::uint64_t seed = 0);

  // REQUIRES, for all of them: the object was not moved from.
  void update(Bytes bytes) noexcept;
  void update(std::string_view text) noexcept { update(as_bytes(text)); }
  // Returns the hash of all pieces so far; more may follow.
  std::uint64_t digest() const noexcept;
  // Drops all pieces, so that another stream can begin.
  void reset(std::uint64_t seed = 0) noexcept;

 private:
  struct StateDeleter {
    void operator()(XXH3_state_s* state) const noexcept;
  };

  std::unique_ptr<XXH3_state_s, StateDeleter> state_;
};

}  // namespace gossamer::base

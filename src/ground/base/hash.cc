#include "base/hash.h"

#include <xxhash.h>

#include <new>

#include "base/hash_avx2.h"
#include "base/processor.h"

namespace gossamer::base {
namespace {

// The layout of the state belongs to the library. Code compiled from the header may use it only if
// the shared library has the same version.
bool may_use_avx2() noexcept {
  static const bool kMay = has_avx2() && XXH_versionNumber() == XXH_VERSION_NUMBER;
  return kMay;
}

}  // namespace

std::uint64_t hash64(Bytes bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t hash64(std::string_view text, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

Hash128 hash128(Bytes bytes, std::uint64_t seed) noexcept {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {.high = hash.high64, .low = hash.low64};
}

Hash128 hash128(std::string_view text, std::uint64_t seed) noexcept {
  return hash128(as_bytes(text), seed);
}

void Hasher64::StateDeleter::operator()(XXH3_state_s* state) const noexcept {
  XXH3_freeState(state);
}

Hasher64::Hasher64(std::uint64_t seed) : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  reset(seed);
}

void Hasher64::update(Bytes bytes) noexcept {
  if (may_use_avx2()) return update_with_avx2(state_.get(), bytes);
  XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
}

std::uint64_t Hasher64::digest() const noexcept { return XXH3_64bits_digest(state_.get()); }

void Hasher64::reset(std::uint64_t seed) noexcept {
  XXH3_64bits_reset_withSeed(state_.get(), seed);
}

}  // namespace gossamer::base

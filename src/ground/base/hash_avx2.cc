#include "base/hash_avx2.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <climits>
#include <cstdlib>
#include <cstring>

// All functions of the header are inlined into this file, which is compiled for AVX2.
#define XXH_INLINE_ALL
#define XXH_VECTOR 2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include <xxhash.h>
#pragma clang attribute pop
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#include <xxhash.h>
#pragma GCC pop_options
#endif
static_assert(XXH_VECTOR == XXH_AVX2);

namespace gossamer::base {

[[gnu::target("avx2")]] void update_with_avx2(void* state, Bytes bytes) noexcept {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state), bytes.data(), bytes.size());
}

}  // namespace gossamer::base

#else

#include <utility>

namespace gossamer::base {

void update_with_avx2(void* /*state*/, Bytes /*bytes*/) noexcept { std::unreachable(); }

}  // namespace gossamer::base

#endif

// Detects random texts: session ids, but also hashes and item numbers.
#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::crawler {

inline constexpr std::size_t kTokenBytesMin = 16;

// True if the text is long enough for a token and has only letters, digits, '-' and '_'.
bool may_be_token(std::string_view text) noexcept;

// True if letters and digits alternate often, as in 4hqa0555fwsecu455xqckv45 and
// 550e8400-e29b-41d4-a716-446655440000, but not in top-10-places-of-2024 or ProductDetailsPage2.
// Some tokens look different by chance (123456789012345a).
bool looks_like_token(std::string_view text) noexcept;

}  // namespace gossamer::crawler

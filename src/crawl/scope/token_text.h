// Texts that were drawn by lot: sessions, but also hashes and numbers of items.
#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::crawler {

inline constexpr std::size_t kTokenBytesMin = 16;

// Long enough for a token, and nothing in it that tokens do not have: letters, digits, '-', '_'.
bool may_be_token(std::string_view text) noexcept;

// As a token mostly looks: letters and digits change often, as in 4hqa0555fwsecu455xqckv45 and
// 550e8400-e29b-41d4-a716-446655440000, but not in top-10-places-of-2024 or ProductDetailsPage2.
// Some tokens look otherwise by chance (123456789012345a).
bool looks_like_token(std::string_view text) noexcept;

}  // namespace gossamer::crawler

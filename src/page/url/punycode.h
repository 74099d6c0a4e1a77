// Punycode (RFC 3492), the ASCII form of one label without its "xn--".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::url {

// BOUND: longer labels are rejected, because decoding takes quadratic time. DNS stops at 63.
inline constexpr std::size_t kPunycodeCodePointsMax = 2048;

// Fails if the text is not Punycode, or too long. Letters keep their case.
std::optional<std::u32string> punycode_decode(std::string_view text);

}  // namespace gossamer::url

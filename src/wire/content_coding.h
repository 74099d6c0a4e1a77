// Which codings a Content-Encoding header names (RFC 9110 section 8.4).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::wire {

enum class ContentCoding : std::uint8_t { gzip, deflate, brotli, zstd };

// What we send as Accept-Encoding.
inline constexpr std::string_view kAcceptEncoding = "gzip, deflate, br, zstd";

// BOUND: over all lines of the header together.
inline constexpr std::size_t kContentCodingsMax = 5;

// "gzip", "br".
std::string_view name(ContentCoding coding) noexcept;

// The codings in the order in which they were applied, over all values of the header; identity
// and "none" are left out. Fails with Errc::unsupported for a coding we do not know, in which case
// the body is to be kept as it is, and Errc::over_limit for too many.
Result<std::vector<ContentCoding>> parse_content_codings(
    std::span<const std::string_view> header_values);

}  // namespace gossamer::wire

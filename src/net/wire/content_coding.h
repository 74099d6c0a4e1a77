// The codings of a Content-Encoding header (RFC 9110 section 8.4).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::wire {

enum class ContentCoding : std::uint8_t { gzip, deflate, brotli, zstd };

// The value of the Accept-Encoding field that we send.
inline constexpr std::string_view kAcceptEncoding = "gzip, deflate, br, zstd";

// BOUND: the sum over all lines of the header.
inline constexpr std::size_t kContentCodingsMax = 5;

// Returns the codings in the order in which they were applied, over all values of the header,
// without identity and "none". Fails with Errc::unsupported for an unknown coding (keep the body as
// it is then) and with Errc::over_limit for too many.
Result<std::vector<ContentCoding>> parse_content_codings(
    std::span<const std::string_view> header_values);

}  // namespace gossamer::wire

// The hash functions of Digest authentication, and that of WebSockets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::wire {

enum class DigestHash : std::uint8_t { md5, sha1, sha256 };

std::string digest_bytes(DigestHash hash, std::string_view text);
// Returns lower-case hexadecimal digits.
std::string digest_hex(DigestHash hash, std::string_view text);

}  // namespace gossamer::wire

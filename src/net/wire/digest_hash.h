// The hash functions of Digest authentication.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::wire {

enum class DigestHash : std::uint8_t { md5, sha256 };

// Returns lower-case hexadecimal digits.
std::string digest_hex(DigestHash hash, std::string_view text);

}  // namespace gossamer::wire

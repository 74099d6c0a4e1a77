// The hashes that Digest authentication is made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::wire {

enum class DigestHash : std::uint8_t { md5, sha256 };

// In hexadecimal digits, lower case.
std::string digest_hex(DigestHash hash, std::string_view text);

}  // namespace gossamer::wire

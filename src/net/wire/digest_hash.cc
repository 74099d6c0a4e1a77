#include "wire/digest_hash.h"

#include <openssl/evp.h>

#include <array>

#include "base/check.h"

namespace gossamer::wire {

namespace {

const EVP_MD* method_of(DigestHash hash) {
  switch (hash) {
    case DigestHash::md5: return EVP_md5();
    case DigestHash::sha1: return EVP_sha1();
    case DigestHash::sha256: return EVP_sha256();
  }
  return EVP_sha256();
}

}  // namespace

std::string digest_bytes(DigestHash hash, std::string_view text) {
  std::array<char, EVP_MAX_MD_SIZE> digest;
  auto* const bytes = reinterpret_cast<unsigned char*>(digest.data());
  unsigned size = 0;
  CHECK_EQ(EVP_Digest(text.data(), text.size(), bytes, &size, method_of(hash), nullptr), 1);
  return {digest.data(), size};
}

std::string digest_hex(DigestHash hash, std::string_view text) {
  std::string hex;
  for (const char byte : digest_bytes(hash, text)) {
    hex += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    hex += "0123456789abcdef"[byte & 0x0F];
  }
  return hex;
}

}  // namespace gossamer::wire

#include "wire/digest_hash.h"

#include <openssl/evp.h>

#include <array>

#include "base/check.h"

namespace gossamer::wire {

std::string digest_hex(DigestHash hash, std::string_view text) {
  const EVP_MD* const method = hash == DigestHash::md5 ? EVP_md5() : EVP_sha256();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  CHECK_EQ(EVP_Digest(text.data(), text.size(), digest.data(), &size, method, nullptr), 1);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 0x0F];
  }
  return hex;
}

}  // namespace gossamer::wire

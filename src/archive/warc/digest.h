// Digests as WARC records and WACZ packages declare them: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

struct evp_md_ctx_st;

namespace gossamer::warc {

enum class DigestAlgorithm : std::uint8_t { md5, sha1, sha256, sha512 };

// Returns the name before the colon: "sha1".
std::string_view name(DigestAlgorithm algorithm) noexcept;
// Also accepts "SHA-1" and "sha_256". Returns nothing for an unknown algorithm.
std::optional<DigestAlgorithm> algorithm_named(std::string_view name) noexcept;

// RFC 4648, upper case, without padding.
std::string base32(Bytes bytes);
// Lower case.
std::string base16(Bytes bytes);

class Digest {
 public:
  Digest(DigestAlgorithm algorithm, Bytes value) noexcept;

  DigestAlgorithm algorithm() const noexcept { return algorithm_; }
  Bytes value() const noexcept { return Bytes(value_).first(size_); }

  // As archives write it: MD5 and SHA-1 in base32, the longer ones in hexadecimal digits.
  std::string to_string() const;

  friend bool operator==(const Digest&, const Digest&) = default;

 private:
  std::array<std::byte, 64> value_ = {};
  std::uint8_t size_ = 0;
  DigestAlgorithm algorithm_;
};

// Computes the digest of data that arrives in pieces.
class Digester {
 public:
  explicit Digester(DigestAlgorithm algorithm);
  Digester(Digester&&) noexcept = default;
  Digester& operator=(Digester&&) noexcept = default;

  DigestAlgorithm algorithm() const noexcept { return algorithm_; }
  void update(Bytes bytes);
  // Returns the digest of all pieces so far; more may follow.
  Digest digest() const;

 private:
  struct Deleter {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };

  std::unique_ptr<evp_md_ctx_st, Deleter> context_;
  DigestAlgorithm algorithm_;
};

Digest digest_of(DigestAlgorithm algorithm, Bytes bytes);

// Parses a declared digest. Its length distinguishes base16, base32 and base64. Case matters only
// for base64, and padding is optional.
// Returns nothing if the algorithm is unknown or the value has the wrong size.
std::optional<Digest> parse_digest(std::string_view text);

}  // namespace gossamer::warc

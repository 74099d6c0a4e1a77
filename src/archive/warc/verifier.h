// Compares the digests that a record declares with its block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "warc/digest.h"
#include "warc/http_block.h"
#include "warc/record.h"

namespace gossamer::warc {

enum class DigestVerdict : std::uint8_t {
  absent,      // none is declared, or there is nothing to compare it with
  right,       // it matches
  wrong,       // it does not match
  unreadable,  // an unknown algorithm or spelling
};

// Verifies one record's block, piece by piece. Also computes the digest of the payload if none is
// declared.
//
//   Verifier verifier(reader.head());
//   verifier.feed(step.block);
//   verifier.finish(reader.extent().is_whole);
class Verifier {
 public:
  explicit Verifier(const RecordHead& head);

  void feed(Bytes block);
  void finish(bool is_whole);

  DigestVerdict block() const noexcept { return block_verdict_; }
  // Payload digests are declared with and without the transfer coding (WARC 1.1 means without, but
  // many tools hash what they store): both are right. A revisit declares the digest of a payload in
  // another record, and a segment that of all segments; they count as absent.
  DigestVerdict payload() const noexcept { return payload_verdict_; }
  // Returns whether nothing is wrong or unreadable.
  bool is_good() const noexcept;
  bool is_declared() const noexcept;

  // The head of the HTTP message, if the block is one. REQUIRES: finish() was called.
  const std::optional<HttpHead>& http() const noexcept { return http_.head(); }
  // The digest of the body as stored, with the algorithm of the declared digest, else SHA-1.
  Digest stored_digest() const { return body_.digest(); }
  std::uint64_t body_bytes() const noexcept { return body_bytes_; }

 private:
  void take_body(Bytes body);
  DigestVerdict judge_payload(const Digest& declared) const;

  bool has_http_;
  HttpBlock http_;
  std::optional<TransferDecoding> decoding_;
  std::optional<Digest> declared_block_;
  std::optional<Digest> declared_payload_;
  std::optional<Digester> block_;
  Digester body_;                    // as stored
  std::optional<Digester> decoded_;  // without the transfer coding
  std::uint64_t body_bytes_ = 0;
  DigestVerdict block_verdict_ = DigestVerdict::absent;
  DigestVerdict payload_verdict_ = DigestVerdict::absent;
};

}  // namespace gossamer::warc

// Holds the digests that a record declares against its block.
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
  absent,      // none is declared, or there is nothing to hold it against
  right,       // it is what it says
  wrong,       // it is not
  unreadable,  // an algorithm or a spelling that we do not know
};

std::string_view name(DigestVerdict verdict) noexcept;

// One record's block, fed as it comes. Also gives the digest of the payload, for those who need one
// that is not declared.
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
  // Payloads are declared with the transfer coding and without it (WARC 1.1 means without, many
  // tools hash what they store): both are right. A revisit declares that of a payload which is
  // elsewhere, and a segment that of all segments; they are absent here.
  DigestVerdict payload() const noexcept { return payload_verdict_; }
  // Nothing is wrong or unreadable.
  bool is_good() const noexcept;
  bool is_declared() const noexcept;

  // Of the HTTP message, if the block is one. REQUIRES: finish() was called.
  const std::optional<HttpHead>& http() const noexcept { return http_.head(); }
  // Of the body as it is stored: in the algorithm of the declared digest, else SHA-1.
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

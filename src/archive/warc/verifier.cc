#include "warc/verifier.h"

namespace gossamer::warc {
namespace {

// Returns the declared digest, and sets the verdict if it cannot be read.
std::optional<Digest> read_declared(const RecordHead& head, std::string_view field,
                                    DigestVerdict& verdict) {
  const auto text = head.fields.find(field);
  if (!text || text->empty()) return std::nullopt;
  auto digest = parse_digest(*text);
  if (!digest) verdict = DigestVerdict::unreadable;
  return digest;
}

bool has_own_payload(const RecordHead& head) {
  return head.type != RecordType::revisit && head.type != RecordType::continuation &&
         !head.fields.find("WARC-Segment-Number");
}

}  // namespace

Verifier::Verifier(const RecordHead& head)
    : has_http_(head.has_http()), body_(DigestAlgorithm::sha1) {
  declared_block_ = read_declared(head, "WARC-Block-Digest", block_verdict_);
  if (declared_block_) block_.emplace(declared_block_->algorithm());
  if (!has_own_payload(head)) return;
  declared_payload_ = read_declared(head, "WARC-Payload-Digest", payload_verdict_);
  if (declared_payload_) body_ = Digester(declared_payload_->algorithm());
}

void Verifier::feed(Bytes block) {
  if (block_) block_->update(block);
  take_body(has_http_ ? http_.feed(block) : block);
}

void Verifier::take_body(Bytes body) {
  if (body.empty()) return;
  body_bytes_ += body.size();
  body_.update(body);
  if (!declared_payload_) return;
  if (!decoding_) {
    decoding_.emplace(http_.head() && http_.head()->is_chunked());
    if (decoding_->is_chunked()) decoded_.emplace(declared_payload_->algorithm());
  }
  if (decoded_) {
    decoding_->feed(body, [this](Bytes piece) { decoded_->update(piece); });
  }
}

DigestVerdict Verifier::judge_payload(const Digest& declared) const {
  if (body_.digest() == declared) return DigestVerdict::right;
  const bool is_decoded = decoded_ && !decoding_->is_broken();
  return is_decoded && decoded_->digest() == declared ? DigestVerdict::right : DigestVerdict::wrong;
}

void Verifier::finish(bool is_whole) {
  http_.finish();
  // A partial block cannot be verified.
  if (!is_whole) {
    block_verdict_ = payload_verdict_ = DigestVerdict::absent;
    return;
  }
  if (declared_block_) {
    block_verdict_ =
        block_->digest() == *declared_block_ ? DigestVerdict::right : DigestVerdict::wrong;
  }
  if (declared_payload_) payload_verdict_ = judge_payload(*declared_payload_);
}

bool Verifier::is_good() const noexcept {
  const auto is_bad = [](DigestVerdict verdict) {
    return verdict == DigestVerdict::wrong || verdict == DigestVerdict::unreadable;
  };
  return !is_bad(block_verdict_) && !is_bad(payload_verdict_);
}

bool Verifier::is_declared() const noexcept {
  return block_verdict_ != DigestVerdict::absent || payload_verdict_ != DigestVerdict::absent;
}

}  // namespace gossamer::warc

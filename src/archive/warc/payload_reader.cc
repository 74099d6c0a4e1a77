#include "warc/payload_reader.h"

#include <vector>

#include "wire/content_coding.h"

namespace gossamer::warc {
namespace {

// Enough to see that data is not encoded as declared.
constexpr std::size_t kHeldBytesMax = 64 * 1024;

std::string_view mark_of(wire::ContentCoding coding) {
  if (coding == wire::ContentCoding::gzip) return "\x1f\x8b";
  if (coding == wire::ContentCoding::zstd) return "\x28\xb5\x2f\xfd";
  return {};
}

}  // namespace

PayloadReader::PayloadReader(const RecordHead& head, const PayloadOptions& options,
                             PayloadSink& sink)
    : options_(options), sink_(&sink), has_http_(head.has_http()) {}

void PayloadReader::feed(Bytes block) { take_body(has_http_ ? http_.feed(block) : block); }

void PayloadReader::begin_body() {
  const auto& head = http_.head();
  transfer_.emplace(head && head->is_chunked());
  if (!head || !options_.decode_content) return;
  const auto value = head->fields.find("Content-Encoding");
  if (!value) return;
  const auto codings = wire::parse_content_codings({&*value, 1});
  if (!codings || codings->empty()) return;
  mark_ = mark_of(codings->back());
  content_ = std::make_unique<wire::ContentDecoder>(*codings, options_.limits);
  scratch_.resize(64 * 1024);
}

void PayloadReader::take_body(Bytes body) {
  if (body.empty()) return;
  if (!transfer_) begin_body();
  if (!transfer_->is_chunked()) return take_payload(body);
  transfer_->feed(body, [this](Bytes piece) {
    has_payload_ = true;
    take_payload(piece);
  });
  if (transfer_->is_broken() && !has_payload_) {
    give_up_transfer();
    return take_payload(body);
  }
  // While it is undecided, only a size line or a trailer is held, and both are bounded. Bytes after
  // the last chunk are ignored.
  if (has_payload_ || transfer_->is_done()) {
    held_.clear();
  } else {
    held_ += as_text(body);
  }
}

// Many tools keep the field and store the body without chunks.
void PayloadReader::give_up_transfer() {
  transfer_.emplace(false);
  take_payload(as_bytes(held_));
}

void PayloadReader::take_payload(Bytes payload) {
  if (content_ == nullptr) return sink_->put(payload);
  if (content_->decoded_bytes() == 0) {
    const bool has_room = content_held_.size() < kHeldBytesMax;
    if (has_room) content_held_ += as_text(payload);
    holds_all_content_ &= has_room;
  }
  const MutableBytes out(reinterpret_cast<std::byte*>(scratch_.data()), scratch_.size());
  bool is_full = false;
  do {
    const auto step = content_->decode(payload, out);
    payload = payload.subspan(step.consumed);
    if (step.produced > 0) sink_->put(out.first(step.produced));
    is_full = step.produced == out.size();
  } while (is_full && !content_->has_stopped());
  if (content_->decoded_bytes() > 0) content_held_.clear();
  if (content_->has_stopped()) give_up_content();
}

// Decoding produced nothing: the field is there but the coding is not.
void PayloadReader::give_up_content() {
  const bool has_mark = !mark_.empty() && content_held_.starts_with(mark_);
  const bool is_coded = has_mark || content_->decoded_bytes() > 0 ||
                        content_->finish() == wire::DecodeEnd::complete || !holds_all_content_;
  if (is_coded) return;
  content_.reset();
  sink_->put(as_bytes(content_held_));
}

// Chunks that produced no data were not chunks.
wire::DecodeEnd PayloadReader::transfer_end() const {
  if (!has_payload_ || transfer_->is_done()) return wire::DecodeEnd::complete;
  return transfer_->is_broken() ? wire::DecodeEnd::damaged : wire::DecodeEnd::cut;
}

wire::DecodeEnd PayloadReader::finish() {
  http_.finish();
  const bool is_undecided = transfer_ && transfer_->is_chunked() && !transfer_->is_done();
  if (is_undecided && !has_payload_) give_up_transfer();
  if (content_ != nullptr && !content_held_.empty()) give_up_content();
  const auto content_end = content_ == nullptr ? wire::DecodeEnd::complete : content_->finish();
  return content_end == wire::DecodeEnd::complete ? transfer_end() : content_end;
}

}  // namespace gossamer::warc

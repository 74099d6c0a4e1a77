#include "captures/read_answer.h"

#include <optional>
#include <string>
#include <utility>

#include "warc/rendered_page.h"
#include "warc/verifier.h"

namespace gossamer::captures {
namespace {

class NoBody final : public warc::PayloadSink {
 public:
  void put(Bytes) override {}
};

// Reads one record: the `ordinal`-th of those that follow.
class AnswerVisitor final : public store::RecordVisitor {
 public:
  // BORROWS: all.
  AnswerVisitor(const RecordWalk& record, warc::PayloadSink& sink, const AnswerLimits& limits)
      : record_(record), left_(record.ordinal), sink_(sink), limits_(limits) {}

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    if (left_ > 0) return;
    is_over_ = !warc::is_answer(head.type) && !warc::is_rendered_page(head);
    if (is_over_) return;
    // A body that a revisit has itself is not the one that it refers to.
    warc::PayloadSink& sink = head.type == warc::RecordType::revisit ? no_body_ : sink_;
    reader_.emplace(head, warc::PayloadOptions{.limits = {.bytes_max = limits_.bytes_max}}, sink);
    if (!record_.payload_digest.empty()) verifier_.emplace(head);
  }
  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
    if (verifier_) verifier_->feed(piece);
  }
  void end_record(const warc::RecordHead&, const warc::Extent& extent) override {
    if (!reader_) {
      if (left_ > 0) --left_;
      return;
    }
    answer_ = reader_->finish(extent.is_whole);
    if (verifier_) verifier_->finish(extent.is_whole);
    is_over_ = true;
  }
  // Then another record would follow. A fault inside the record is followed by its end.
  void fault(const warc::Fault& fault) override {
    if (left_ == 0 && !reader_ && !fault.is_warning) is_over_ = true;
  }
  bool is_satisfied() const override { return is_over_ || is_stopped(); }

  bool is_stopped() const { return limits_.is_stopped && limits_.is_stopped(); }
  std::optional<warc::Answer>& answer() { return answer_; }
  // REQUIRES: it has an answer.
  bool has_right_payload() const {
    return !verifier_ || (verifier_->payload() == warc::DigestVerdict::right &&
                          answer_->payload_digest == record_.payload_digest);
  }

 private:
  const RecordWalk& record_;
  std::uint32_t left_;
  warc::PayloadSink& sink_;
  NoBody no_body_;
  const AnswerLimits& limits_;
  std::optional<warc::AnswerReader> reader_;
  std::optional<warc::Verifier> verifier_;
  std::optional<warc::Answer> answer_;
  bool is_over_ = false;
};

Result<warc::Answer> read_record(RecordWalk& record, warc::PayloadSink& sink,
                                 const AnswerLimits& limits) {
  AnswerVisitor visitor(record, sink, limits);
  if (auto walked = record.walk(visitor); !walked) return fail(std::move(walked).error());
  if (visitor.is_stopped()) return fail(Errc::cancelled, "reading the archive was stopped");
  if (!visitor.answer()) return fail(Errc::malformed, "there is no response at this place");
  if (!visitor.has_right_payload()) {
    return fail(Errc::not_found, "the record that it refers to is in no archive with its digest");
  }
  return std::move(*visitor.answer());
}

bool is_redirect(int status) { return status >= 300 && status < 400 && status != 304; }

// A revisit may have no head, or that of a 304. Then the original has it.
void add_original(warc::Answer& answer, warc::Answer original) {
  answer.is_whole = original.is_whole;
  if (answer.record_type.empty()) answer.record_type = std::move(original.record_type);
  if (!original.http) return;
  if (!answer.http || answer.http->status() == 304) {
    answer.http = std::move(original.http);
    return;
  }
  const auto type = original.http->fields.find("Content-Type");
  if (type && !answer.http->fields.find("Content-Type")) {
    answer.http->fields.append("Content-Type", std::string(*type));
  }
}

}  // namespace

Result<warc::Answer> read_answer(RecordWalk record, FindOriginal find_original,
                                 warc::PayloadSink& sink, const AnswerLimits& limits) {
  auto answer = read_record(record, sink, limits);
  // All empty bodies are the same, so a redirect needs none from elsewhere.
  if (!answer || !answer->original || is_redirect(answer->status())) return answer;
  auto place = find_original(*answer);
  if (!place) return fail(std::move(place).error());
  auto original = read_record(*place, sink, limits);
  if (!original) return original;
  add_original(*answer, std::move(*original));
  return answer;
}

}  // namespace gossamer::captures

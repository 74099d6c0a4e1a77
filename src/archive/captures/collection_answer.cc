// How a collection reads the answer of one capture.
#include <algorithm>
#include <atomic>
#include <utility>

#include "base/hash.h"
#include "captures/collection.h"
#include "warc/payload_reader.h"
#include "warc/verifier.h"

namespace gossamer::serve {
namespace {

// A body that must fit into memory.
class BodySink final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override {
    is_too_large |= body.size() + piece.size() > Collection::kBodyBytesMax;
    if (!is_too_large) append_large(body, as_text(piece), Collection::kBodyBytesMax);
  }
  std::string body;
  bool is_too_large = false;
};

}  // namespace

// Reads one record: the `ordinal`-th of those that follow.
class Collection::AnswerVisitor final : public store::RecordVisitor {
 public:
  // BORROWS: all of it.
  AnswerVisitor(std::uint32_t ordinal, BodySink& sink, const std::atomic<bool>& is_stopping,
                const WorkLimit& limit)
      : left_(ordinal), sink_(sink), is_stopping_(is_stopping), limit_(limit) {}

  // Compares the payload with the digest that is declared for it.
  void verify() { is_verifying_ = true; }
  // Returns whether the payload has this digest. REQUIRES: verify() was called before.
  bool has_payload(std::string_view digest) const {
    return verifier_ && verifier_->payload() == warc::DigestVerdict::right && payload_ == digest;
  }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    if (left_ > 0) return;
    is_begun_ = true;
    is_revisit_ = head.type == warc::RecordType::revisit;
    const auto field = [&head](std::string_view name) {
      return std::string(head.fields.find(name).value_or(""));
    };
    refers_to_ = field("WARC-Refers-To");
    refers_to_url_ = field("WARC-Refers-To-Target-URI");
    refers_to_date_ = field("WARC-Refers-To-Date");
    payload_ = field("WARC-Payload-Digest");
    type_ = head.has_http() ? std::string() : std::string(head.content_type());
    // The sink decides what is too large.
    const warc::PayloadOptions options = {.limits = {.bytes_max = kBodyBytesMax + 1}};
    reader_.emplace(head, options, sink_);
    if (is_verifying_) verifier_.emplace(head);
  }
  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
    if (verifier_) verifier_->feed(piece);
  }
  void end_record(const warc::RecordHead&, const warc::Extent& extent) override {
    if (!reader_) {
      --left_;
      return;
    }
    is_whole_ = reader_->finish() == wire::DecodeEnd::complete && extent.is_whole;
    if (verifier_) verifier_->finish(extent.is_whole);
    http_ = reader_->http();
    is_over_ = true;
  }
  bool is_satisfied() const override {
    return is_over_ || sink_.is_too_large || is_stopping_ || limit_.is_over();
  }

  bool is_begun() const { return is_begun_; }
  bool is_revisit() const { return is_revisit_; }
  bool is_whole() const { return is_whole_; }
  const std::optional<warc::HttpHead>& http() const { return http_; }
  const std::string& type() const { return type_; }
  const std::string& refers_to() const { return refers_to_; }
  const std::string& refers_to_url() const { return refers_to_url_; }
  const std::string& refers_to_date() const { return refers_to_date_; }
  const std::string& payload() const { return payload_; }

 private:
  std::uint32_t left_;
  BodySink& sink_;
  const std::atomic<bool>& is_stopping_;
  const WorkLimit& limit_;
  std::optional<warc::PayloadReader> reader_;
  std::optional<warc::Verifier> verifier_;
  std::optional<warc::HttpHead> http_;
  std::string type_;
  std::string refers_to_;
  std::string refers_to_url_;
  std::string refers_to_date_;
  std::string payload_;
  bool is_verifying_ = false;
  bool is_begun_ = false;
  bool is_revisit_ = false;
  bool is_whole_ = false;
  bool is_over_ = false;
};

Result<void> Collection::read_record(const RecordPlace& place, AnswerVisitor& visitor) const {
  const File file = [&] {
    const std::shared_lock lock(mutex_);
    return files_[place.file];
  }();
  return walk_file(file, place.offset, visitor);
}

// A revisit may have no head, or that of a 304. Then the original has it.
void Collection::take_head(ArchivedAnswer& answer, const AnswerVisitor& original) {
  if (!original.http()) return;
  if (!answer.http || answer.http->status() == 304) {
    answer.http = original.http();
    return;
  }
  const auto type = original.http()->fields.find("Content-Type");
  if (type && !answer.http->fields.find("Content-Type")) {
    answer.http->fields.append("Content-Type", std::string(*type));
  }
}

Result<ArchivedAnswer> Collection::answer_of(const Capture& capture, const WorkLimit& limit) const {
  BodySink sink;
  AnswerVisitor visitor(capture.place.ordinal, sink, is_stopping_, limit);
  if (auto got = read_record(capture.place, visitor); !got) return fail(std::move(got).error());
  if (limit.is_over()) return fail(Errc::timed_out, "reading the archive takes too long");
  if (sink.is_too_large) return fail(Errc::over_limit, "the body is too large to be replayed");
  if (!visitor.is_begun()) return fail(Errc::malformed, "there is no record at this place");
  ArchivedAnswer answer = {.http = visitor.http(),
                           .record_type = visitor.type(),
                           .body = std::move(sink.body),
                           .is_whole = visitor.is_whole()};
  // All empty bodies are the same, so a redirect needs none from elsewhere.
  const int status = answer.http ? answer.http->status().value_or(0) : 0;
  const bool is_redirect = status >= 300 && status < 400 && status != 304;
  if (!visitor.is_revisit() || is_redirect) return answer;
  const auto original = find_original(capture, visitor);
  if (!original) return fail(Errc::not_found, "the record that it refers to is not archived");
  BodySink same;
  AnswerVisitor first(original->place.ordinal, same, is_stopping_, limit);
  if (original->is_foreign) first.verify();
  if (auto got = read_record(original->place, first); !got) return fail(std::move(got).error());
  if (limit.is_over()) return fail(Errc::timed_out, "reading the archive takes too long");
  if (same.is_too_large) return fail(Errc::over_limit, "the body is too large to be replayed");
  if (original->is_foreign && !first.has_payload(visitor.payload())) {
    return fail(Errc::not_found, "the record that it refers to is in no archive with its digest");
  }
  take_head(answer, first);
  if (answer.record_type.empty()) answer.record_type = first.type();
  answer.body = std::move(same.body);
  answer.is_whole = first.is_whole();
  return answer;
}

// Writers name the original in three ways, and not all of them do in all three. Another archive may
// be hostile, so the own one comes first.
std::optional<Collection::Original> Collection::find_original(const Capture& capture,
                                                              const AnswerVisitor& visitor) const {
  const std::shared_lock lock(mutex_);
  const auto by_name = [&](std::uint32_t archive) -> std::optional<RecordPlace> {
    for (const std::string* name : {&visitor.refers_to(), &visitor.payload()}) {
      if (name->empty()) continue;
      if (auto place = index_.find_record(archive, base::hash64(*name))) return place;
    }
    return {};
  };
  if (auto place = by_name(capture.archive)) return Original{.place = *place};
  if (!visitor.refers_to_url().empty()) {
    const auto own = index_.captures_of(visitor.refers_to_url(), [&](const Capture& one) {
      return one.archive == capture.archive && !one.is_revisit;
    });
    const auto date = warc::parse_record_date(visitor.refers_to_date()).value_or(capture.at);
    if (!own.empty()) return Original{.place = own[nearest_capture(own, date)]->place};
  }
  // Without a digest, nothing shows that a body is the one.
  if (visitor.payload().empty()) return {};
  for (std::uint32_t archive = 0; archive < archives_.size(); ++archive) {
    if (auto place = by_name(archive)) return Original{.place = *place, .is_foreign = true};
  }
  return {};
}

}  // namespace gossamer::serve

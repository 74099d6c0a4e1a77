#include "warc/answer_reader.h"

#include <utility>

namespace gossamer::warc {
namespace {

std::string field_of(const RecordHead& head, std::string_view name) {
  return std::string(head.fields.find(name).value_or(""));
}

Reference reference_of(const RecordHead& head) {
  const auto date = head.fields.find("WARC-Refers-To-Date");
  return {.record_id = field_of(head, "WARC-Refers-To"),
          .url = field_of(head, "WARC-Refers-To-Target-URI"),
          .at = date ? parse_record_date(*date) : std::nullopt};
}

}  // namespace

AnswerReader::AnswerReader(const RecordHead& head, const PayloadOptions& options, PayloadSink& sink)
    : answer_({.at = head.date(),
               .has_http = head.has_http(),
               .http = {},
               .record_type = {},
               .payload_digest = field_of(head, "WARC-Payload-Digest"),
               .original = {},
               .truncated = field_of(head, "WARC-Truncated")}),
      payload_(head, options, sink) {
  if (!answer_.has_http) answer_.record_type = head.content_type();
  if (head.type == RecordType::revisit) answer_.original = reference_of(head);
}

Answer AnswerReader::finish(bool is_whole) {
  const bool is_decoded = payload_.finish() == wire::DecodeEnd::complete;
  answer_.is_whole = is_decoded && is_whole && answer_.truncated.empty();
  answer_.http = payload_.http();
  return std::move(answer_);
}

}  // namespace gossamer::warc

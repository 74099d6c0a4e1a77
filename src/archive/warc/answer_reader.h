// Reads the record of a capture as an answer: its head, its body without codings, and the record
// that a revisit refers to. It does no I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/time.h"
#include "warc/http_block.h"
#include "warc/payload_reader.h"
#include "warc/record.h"

namespace gossamer::warc {

// Names the record that has the body of a revisit. Writers do it in three ways, this and its
// payload digest, and not all of them do in all three.
struct Reference {
  std::string record_id;
  std::string url;
  std::optional<WallTime> at;  // when that record was written
};

// An archived answer; its body is in a sink.
struct Answer {
  std::optional<WallTime> at;  // the date of its record
  bool has_http = false;       // its record has, or should have, an HTTP message
  std::optional<HttpHead> http;
  std::string record_type;            // the content type of a record without HTTP
  std::string payload_digest;         // as declared
  std::optional<Reference> original;  // of a revisit
  std::string
      truncated;  // why a part is missing, as WARC-Truncated says it; empty: it is not there
  // Nothing of its body is missing: its record is undamaged, and not marked WARC-Truncated.
  bool is_whole = true;

  // Returns 0 if there is none.
  int status() const { return http ? http->status().value_or(0) : 0; }
  // Returns the Content-Type with its parameters; empty if there is none.
  std::string_view type() const {
    return http ? http->fields.find("Content-Type").value_or("") : std::string_view(record_type);
  }
};

// Returns whether a record of this type is the capture of an answer.
constexpr bool is_answer(RecordType type) noexcept {
  using enum RecordType;
  return type == response || type == resource || type == revisit;
}

// Feeds a sink with the body of one record.
class AnswerReader {
 public:
  // BORROWS: the sink, for as long as this lives.
  AnswerReader(const RecordHead& head, const PayloadOptions& options, PayloadSink& sink);

  void feed(Bytes block) { payload_.feed(block); }
  // Returns the head of the HTTP message as soon as it was read.
  const std::optional<HttpHead>& http() const noexcept { return payload_.http(); }
  // Ends the record. `is_whole`: the archive has all of its block. Call it once.
  Answer finish(bool is_whole);

 private:
  Answer answer_;
  PayloadReader payload_;
};

}  // namespace gossamer::warc

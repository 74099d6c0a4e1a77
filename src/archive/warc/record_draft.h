// Records to be written: the types of WARC 1.1 that a crawler needs.
//
// Nothing in here reads the clock or generates random numbers: the caller passes dates and the
// bytes of record ids. Data from servers goes into blocks, which have a length, and into field
// values, which are escaped, so no server can inject a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"
#include "warc/digest.h"
#include "warc/record.h"

namespace gossamer::warc {

// A UUID of version 4 (RFC 9562) from sixteen random bytes of the caller.
class RecordId {
 public:
  explicit RecordId(std::span<const std::byte, 16> random) noexcept;
  // "<urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>"
  const std::string& text() const noexcept { return text_; }

  friend bool operator==(const RecordId&, const RecordId&) = default;

 private:
  std::string text_;
};

// The bytes of a record between its header and the line ends: `head`, `body`, `tail`.
struct Block {
  std::string head = {};
  Bytes body = {};  // BORROWS: until the record is written
  std::string tail = {};
  // The body is already compressed: it is stored in the member without compressing it again.
  bool is_body_packed = false;

  std::uint64_t bytes() const noexcept { return head.size() + body.size() + tail.size(); }
};

struct RecordDraft {
  RecordType type = RecordType::unknown;
  RecordId id;
  WallTime date = {};
  base::SecondDigits date_digits = base::SecondDigits::milli;
  std::string target_uri = {};
  // More fields, in this order. Values are escaped when they are written.
  Fields fields = {};
  std::string content_type = {};
  std::optional<Digest> payload_digest = {};
  Block block = {};
};

// The common properties of the records of one exchange.
struct Capture {
  std::string target_uri;
  WallTime date;
  std::string ip_address = {};   // WARC-IP-Address, of the server
  std::string protocol = {};     // WARC-Protocol: "h2", "http/1.1"
  std::string tls = {};          // another WARC-Protocol: "tls/1.3"
  std::string cipher = {};       // WARC-Cipher-Suite: "TLS_AES_256_GCM_SHA384"
  std::string warcinfo_id = {};  // WARC-Warcinfo-ID
};

enum class Truncation : std::uint8_t { none, length, time, disconnect, unspecified };

// The form of a response body in its block. Heads are stored byte for byte, and a head that says
// `chunked` requires chunks: a payload that we received decoded is written as one chunk.
enum class BodyForm : std::uint8_t { as_given, one_chunk };

struct ResponseParts {
  std::string_view head;  // as received, including the empty line
  Bytes payload;          // without transfer coding, with content codings
  BodyForm form = BodyForm::as_given;
  Truncation truncation = Truncation::none;
  // WARC-Payload-Digest, if the caller knows it; otherwise it is computed with this algorithm.
  std::optional<Digest> digest = {};
  DigestAlgorithm algorithm = DigestAlgorithm::sha1;
};

// Returns the block of a response with everything but the payload, whose size must be known.
Block response_block(std::string_view head, std::uint64_t payload_bytes, BodyForm form);
// Returns the form that a head requires.
BodyForm body_form_for(std::string_view head);

// The record that a revisit refers to.
struct Original {
  std::string record_id;  // may be empty
  std::string target_uri;
  WallTime date;
};

struct Outlink {
  std::string url;
  std::string context;  // "L a/@href": the kind of link and where it was found
};

RecordDraft warcinfo_record(RecordId id, WallTime date, std::string_view filename,
                            const Fields& about);
RecordDraft request_record(RecordId id, const Capture& capture, const RecordId& response,
                           Bytes message);
RecordDraft response_record(RecordId id, const Capture& capture, const ResponseParts& parts);
// WARC 1.1 section 6.7.2: the payload was archived before; `head` is the new one.
RecordDraft identical_revisit_record(RecordId id, const Capture& capture, std::string_view head,
                                     const Digest& payload, const Original& original);
// WARC 1.1 section 6.7.3: the server answered 304. The digest is that of the payload archived
// before.
RecordDraft not_modified_revisit_record(RecordId id, const Capture& capture, std::string_view head,
                                        const std::optional<Digest>& payload,
                                        const Original& original);
RecordDraft metadata_record(RecordId id, const Capture& capture, const RecordId& concurrent_to,
                            const Fields& about, std::span<const Outlink> outlinks);
RecordDraft resource_record(RecordId id, const Capture& capture, std::string_view content_type,
                            Bytes content, DigestAlgorithm algorithm = DigestAlgorithm::sha1);

}  // namespace gossamer::warc

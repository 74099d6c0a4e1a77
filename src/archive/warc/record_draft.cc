#include "warc/record_draft.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "warc/http_block.h"
#include "warc/record_writer.h"

namespace gossamer::warc {
namespace {

constexpr std::string_view kProfiles = "http://netpreserve.org/warc/1.1/revisit/";
constexpr std::string_view kWarcFields = "application/warc-fields";
constexpr std::string_view kHttpRequest = "application/http;msgtype=request";
constexpr std::string_view kHttpResponse = "application/http;msgtype=response";

void append_if_any(Fields& fields, std::string_view name, const std::string& value) {
  if (!value.empty()) fields.append(std::string(name), value);
}

RecordDraft draft_of(RecordType type, RecordId id, const Capture& capture) {
  RecordDraft draft = {
      .type = type, .id = std::move(id), .date = capture.date, .target_uri = capture.target_uri};
  append_if_any(draft.fields, "WARC-Warcinfo-ID", capture.warcinfo_id);
  append_if_any(draft.fields, "WARC-IP-Address", capture.ip_address);
  append_if_any(draft.fields, "WARC-Protocol", capture.protocol);
  append_if_any(draft.fields, "WARC-Protocol", capture.tls);
  append_if_any(draft.fields, "WARC-Cipher-Suite", capture.cipher);
  return draft;
}

std::string_view word_of(Truncation truncation) {
  switch (truncation) {
    case Truncation::none: break;
    case Truncation::length: return "length";
    case Truncation::time: return "time";
    case Truncation::disconnect: return "disconnect";
    case Truncation::unspecified: return "unspecified";
  }
  return {};
}

// Writes the lines of an application/warc-fields block.
std::string field_lines(const Fields& fields) {
  std::string lines;
  for (const Fields::Field& field : fields) append_field(lines, field.name, field.value);
  return lines;
}

RecordDraft revisit_record(RecordId id, const Capture& capture, std::string_view head,
                           std::string_view profile, const Original& original) {
  RecordDraft draft = draft_of(RecordType::revisit, std::move(id), capture);
  draft.content_type = kHttpResponse;
  draft.fields.append("WARC-Profile", std::string(kProfiles) + std::string(profile));
  append_if_any(draft.fields, "WARC-Refers-To", original.record_id);
  append_if_any(draft.fields, "WARC-Refers-To-Target-URI", original.target_uri);
  draft.fields.append("WARC-Refers-To-Date",
                      base::to_rfc3339(original.date, base::SecondDigits::milli));
  draft.block.head = head;
  return draft;
}

}  // namespace

RecordId::RecordId(std::span<const std::byte, 16> random) noexcept {
  std::array<std::byte, 16> bytes;
  std::copy(random.begin(), random.end(), bytes.begin());
  bytes[6] = (bytes[6] & std::byte{0x0F}) | std::byte{0x40};
  bytes[8] = (bytes[8] & std::byte{0x3F}) | std::byte{0x80};
  const std::string digits = base16(bytes);
  const std::string_view view = digits;
  text_ = fmt::format("<urn:uuid:{}-{}-{}-{}-{}>", view.substr(0, 8), view.substr(8, 4),
                      view.substr(12, 4), view.substr(16, 4), view.substr(20));
}

Block response_block(std::string_view head, std::uint64_t payload_bytes, BodyForm form) {
  Block block = {.head = std::string(head)};
  if (form == BodyForm::one_chunk) {
    // An empty chunk would be the last.
    if (payload_bytes > 0) block.head += fmt::format("{:x}\r\n", payload_bytes);
    block.tail = payload_bytes == 0 ? "0\r\n\r\n" : "\r\n0\r\n\r\n";
  }
  return block;
}

BodyForm body_form_for(std::string_view head) {
  return parse_http_head(head).is_chunked() ? BodyForm::one_chunk : BodyForm::as_given;
}

RecordDraft warcinfo_record(RecordId id, WallTime date, std::string_view filename,
                            const Fields& about) {
  RecordDraft draft = {.type = RecordType::warcinfo, .id = std::move(id), .date = date};
  draft.content_type = kWarcFields;
  append_if_any(draft.fields, "WARC-Filename", std::string(filename));
  draft.block.head = field_lines(about);
  return draft;
}

RecordDraft request_record(RecordId id, const Capture& capture, const RecordId& response,
                           Bytes message) {
  RecordDraft draft = draft_of(RecordType::request, std::move(id), capture);
  draft.fields.append("WARC-Concurrent-To", response.text());
  draft.content_type = kHttpRequest;
  draft.block.body = message;
  return draft;
}

RecordDraft response_record(RecordId id, const Capture& capture, const ResponseParts& parts) {
  RecordDraft draft = draft_of(RecordType::response, std::move(id), capture);
  draft.content_type = kHttpResponse;
  const std::string_view word = word_of(parts.truncation);
  if (!word.empty()) draft.fields.append("WARC-Truncated", std::string(word));
  draft.payload_digest = parts.digest ? *parts.digest : digest_of(parts.algorithm, parts.payload);
  draft.block = response_block(parts.head, parts.payload.size(), parts.form);
  draft.block.body = parts.payload;
  return draft;
}

RecordDraft identical_revisit_record(RecordId id, const Capture& capture, std::string_view head,
                                     const Digest& payload, const Original& original) {
  RecordDraft draft =
      revisit_record(std::move(id), capture, head, "identical-payload-digest", original);
  draft.payload_digest = payload;
  return draft;
}

RecordDraft not_modified_revisit_record(RecordId id, const Capture& capture, std::string_view head,
                                        const std::optional<Digest>& payload,
                                        const Original& original) {
  RecordDraft draft = revisit_record(std::move(id), capture, head, "server-not-modified", original);
  draft.payload_digest = payload;
  return draft;
}

RecordDraft metadata_record(RecordId id, const Capture& capture, const RecordId& concurrent_to,
                            const Fields& about, std::span<const Outlink> outlinks) {
  RecordDraft draft = draft_of(RecordType::metadata, std::move(id), capture);
  draft.fields.append("WARC-Concurrent-To", concurrent_to.text());
  draft.content_type = kWarcFields;
  draft.block.head = field_lines(about);
  for (const Outlink& outlink : outlinks) {
    append_field(draft.block.head, "outlink",
                 escaped_uri(outlink.url) + (outlink.context.empty() ? "" : " ") + outlink.context);
  }
  return draft;
}

RecordDraft resource_record(RecordId id, const Capture& capture, std::string_view content_type,
                            Bytes content, DigestAlgorithm algorithm) {
  RecordDraft draft = draft_of(RecordType::resource, std::move(id), capture);
  draft.content_type = content_type;
  draft.payload_digest = digest_of(algorithm, content);
  draft.block.body = content;
  return draft;
}

}  // namespace gossamer::warc

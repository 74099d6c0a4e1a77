#include "store/archive_packing.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "warc/http_block.h"
#include "warc/rendered_page.h"

namespace gossamer::store {
namespace {

constexpr std::array<std::string_view, 21> kOpenFields = {"accept",
                                                          "accept-charset",
                                                          "accept-encoding",
                                                          "accept-language",
                                                          "cache-control",
                                                          "connection",
                                                          "content-length",
                                                          "content-type",
                                                          "dnt",
                                                          "expect",
                                                          "from",
                                                          "host",
                                                          "if-match",
                                                          "if-modified-since",
                                                          "if-none-match",
                                                          "if-range",
                                                          "pragma",
                                                          "range",
                                                          "referer",
                                                          "upgrade-insecure-requests",
                                                          "user-agent"};

bool is_open(std::string_view name) {
  return std::ranges::any_of(kOpenFields, [name](std::string_view open) {
    return base::equals_ignoring_case(name, open);
  });
}

warc::Truncation truncation_of(crawler::Cut cut) {
  switch (cut) {
    case crawler::Cut::none: break;
    case crawler::Cut::length: return warc::Truncation::length;
    case crawler::Cut::time: return warc::Truncation::time;
    case crawler::Cut::disconnect: return warc::Truncation::disconnect;
    case crawler::Cut::unread: return warc::Truncation::unspecified;
  }
  return warc::Truncation::none;
}

// Converts "HTTP/1.1" to "http/1.1", and "HTTP/2" to "h2".
std::string protocol_of(std::string_view spoken) {
  if (spoken == "HTTP/2") return "h2";
  std::string protocol(spoken);
  std::ranges::transform(protocol, protocol.begin(), base::to_lower);
  return protocol;
}

// Converts "TLSv1.3" to "tls/1.3".
std::string tls_of(std::string_view version) {
  constexpr std::string_view kPrefix = "TLSv";
  if (!version.starts_with(kPrefix)) return {};
  return "tls/" + std::string(version.substr(kPrefix.size()));
}

// REQUIRES: the order has the digest of the payload.
warc::RecordDraft draft_answer(const crawler::Capture& answer, const warc::Capture& capture,
                               const PackingOrder& order) {
  const std::string_view head = answer.response_head;
  if (order.not_modified) {
    return not_modified_revisit_record(order.response, capture, head, order.not_modified->payload,
                                       order.not_modified->original);
  }
  if (order.identical) {
    return identical_revisit_record(order.response, capture, head, *order.payload,
                                    *order.identical);
  }
  const warc::HttpHead parsed = warc::parse_http_head(head);
  warc::RecordDraft draft = response_record(
      order.response, capture,
      {.head = head,
       .payload = as_bytes(answer.payload),
       .form = parsed.is_chunked() ? warc::BodyForm::one_chunk : warc::BodyForm::as_given,
       .truncation = truncation_of(answer.cut),
       .digest = order.payload});
  if (answer.file) draft.block = frame_of(answer);
  draft.block.is_body_packed = parsed.is_packed();
  return draft;
}

// What has no heads was not received: it is a page as a browser had it.
bool is_rendered(const crawler::Capture& answer) {
  return answer.response_head.empty() && answer.request_head.empty();
}

warc::RecordDraft draft_rendered(const crawler::Capture& answer, const warc::Capture& capture,
                                 const PackingOrder& order) {
  return {.type = warc::RecordType::conversion,
          .id = order.response,
          .date = capture.date,
          .target_uri = capture.target_uri,
          .content_type = std::string(warc::kRenderedType),
          .block = {.body = as_bytes(answer.payload)}};
}

LargeRecord large_record(const crawler::Capture& answer, const warc::RecordDraft& draft,
                         const warc::Digest& block) {
  const warc::Block& frame = draft.block;
  const std::uint64_t bytes = frame.bytes() + answer.payload_bytes();
  return {.payload = answer.file,
          .head = record_head(draft, {.bytes = bytes, .digest = block}) + frame.head,
          .tail = frame.tail + std::string(warc::kRecordEnd),
          .is_packed = frame.is_body_packed,
          .after = {}};
}

// What deflate may add: a few bytes for each block of at least 16 KB, and for each member.
std::uint64_t size_bound(const PackedExchange& packed) {
  constexpr std::uint64_t kBlock = 2048;
  constexpr std::uint64_t kMember = 4096;
  const LargeRecord& large = *packed.large;
  const std::uint64_t record = large.head.size() + large.payload->bytes() + large.tail.size();
  return packed.bytes.size() + record + record / kBlock + kMember + large.after.size();
}

warc::CdxjEntry entry_of(const crawler::Exchange& exchange, const warc::RecordDraft& draft) {
  const warc::HttpHead head = warc::parse_http_head(exchange.capture.response_head);
  const bool is_revisit = draft.type == warc::RecordType::revisit;
  warc::CdxjEntry entry;
  entry.url = warc::escaped_uri(exchange.url);
  entry.key = warc::capture_key(entry.url);
  entry.timestamp = warc::timestamp14(exchange.ts);
  entry.mime = is_revisit ? "warc/revisit" : std::string(head.content_type());
  if (const auto status = head.status()) entry.status = std::to_string(*status);
  if (draft.payload_digest) entry.digest = draft.payload_digest->to_string();
  return entry;
}

}  // namespace

warc::Block frame_of(const crawler::Capture& capture) {
  return response_block(capture.response_head, capture.payload_bytes(),
                        warc::body_form_for(capture.response_head));
}

std::string without_secrets(std::string_view head) {
  std::string open;
  open.reserve(head.size());
  while (!head.empty()) {
    const std::size_t feed = head.find('\n');
    const std::string_view line = head.substr(0, feed == head.npos ? head.size() : feed + 1);
    head.remove_prefix(line.size());
    const bool is_field = !open.empty() && line != "\r\n";
    if (!is_field || is_open(line.substr(0, line.find(':')))) open += line;
  }
  return open;
}

PackedExchange ExchangePacker::pack(const crawler::Exchange& exchange, const PackingOrder& given) {
  const crawler::Capture& answer = exchange.capture;
  PackingOrder order = given;
  if (!order.payload) {
    order.payload = digest_of(warc::DigestAlgorithm::sha1, as_bytes(answer.payload));
  }
  const warc::Capture capture = {.target_uri = exchange.url,
                                 .date = exchange.ts,
                                 .ip_address = exchange.facts.connection.remote.address_text(),
                                 .protocol = protocol_of(exchange.facts.protocol),
                                 .tls = tls_of(exchange.facts.connection.tls.protocol),
                                 .cipher = std::string(exchange.facts.connection.tls.cipher)};
  PackedExchange packed = {.bytes = {}, .payload = *order.payload, .entry = {}};
  const std::string request = without_secrets(answer.request_head);
  if (!request.empty()) {
    writer_.append(request_record(order.request, capture, order.response, as_bytes(request)),
                   packed.bytes);
  }
  const warc::RecordDraft draft = is_rendered(answer) ? draft_rendered(answer, capture, order)
                                                      : draft_answer(answer, capture, order);
  packed.response_offset = packed.bytes.size();
  const bool is_large = answer.file && draft.type == warc::RecordType::response;
  if (is_large) {
    packed.large = large_record(answer, draft, *order.block);
  } else {
    writer_.append(draft, packed.bytes);
  }
  packed.response_length = packed.bytes.size() - packed.response_offset;
  if (order.wants_entry && !is_rendered(answer)) {
    packed.entry = entry_of(exchange, draft);
    packed.entry.length = packed.response_length;
  }
  std::vector<warc::Outlink> outlinks;
  for (const crawler::Capture::Outlink& outlink : answer.outlinks) {
    outlinks.push_back({.url = outlink.url, .context = outlink.where});
  }
  if (!outlinks.empty()) {
    writer_.append(metadata_record(order.metadata, capture, order.response, {}, outlinks),
                   is_large ? packed.large->after : packed.bytes);
  }
  packed.size = is_large ? size_bound(packed) : packed.bytes.size();
  return packed;
}

PackedExchange ExchangePackers::pack(const crawler::Exchange& exchange, const PackingOrder& order) {
  std::unique_ptr<ExchangePacker> packer;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      packer = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!packer) packer = std::make_unique<ExchangePacker>(options_);
  PackedExchange packed = packer->pack(exchange, order);
  // Frees the memory that one huge page needed.
  constexpr std::size_t kKept = 1024 * 1024;
  if (exchange.capture.payload.size() >= kKept) return packed;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(packer));
  return packed;
}

}  // namespace gossamer::store

#include "wire/framing.h"

#include <charconv>
#include <limits>
#include <optional>

#include "wire/text.h"

namespace gossamer::wire {
namespace {

// Larger values could become negative in a subtraction.
constexpr std::uint64_t kBodyBytesRepresentable = std::numeric_limits<std::int64_t>::max();

// Lengths are compared as text: a head with both 5 and 05 was written by two programs.
Result<std::optional<std::uint64_t>> content_length(const ResponseHead& head) {
  std::optional<std::string_view> first;
  bool differs = false;
  head.for_each("content-length", [&](std::string_view value) {
    for_each_in_list(value, [&](std::string_view one) {
      if (!first) first = one;
      differs |= one != *first;
    });
  });
  if (!first) return std::nullopt;
  if (differs) return fail(Errc::malformed, "conflicting Content-Length values");
  std::uint64_t length = 0;
  const char* const end = first->data() + first->size();
  const auto [stop, error] = std::from_chars(first->data(), end, length);
  if (first->empty() || stop != end || error != std::errc() || length > kBodyBytesRepresentable) {
    return fail(Errc::malformed, "invalid Content-Length");
  }
  return length;
}

enum class TransferCoding : std::uint8_t { none, chunked };

Result<TransferCoding> transfer_coding(const ResponseHead& head) {
  std::optional<std::string_view> first;
  std::size_t count = 0;
  head.for_each("transfer-encoding", [&](std::string_view value) {
    for_each_in_list(value, [&](std::string_view one) {
      if (!first) first = one;
      ++count;
    });
  });
  if (count == 0) return TransferCoding::none;
  if (count == 1 && equals_ignoring_case(*first, "chunked")) return TransferCoding::chunked;
  // From RFC 2616, where it meant no coding.
  if (count == 1 && equals_ignoring_case(*first, "identity")) return TransferCoding::none;
  return fail(Errc::unsupported, "unsupported Transfer-Encoding");
}

bool wants_to_close(const ResponseHead& head) {
  if (head.has_token("connection", "close")) return true;
  if (head.has_token("proxy-connection", "close")) return true;
  return head.minor_version() == 0 && !head.has_token("connection", "keep-alive");
}

}  // namespace

Result<Framing> framing_of(const ResponseHead& head, RequestKind kind) {
  const auto length = content_length(head);
  if (!length) return fail(length.error().copy());
  const auto coding = transfer_coding(head);
  if (!coding) return fail(coding.error().copy());

  Framing framing;
  framing.keeps_alive = !wants_to_close(head) && !head.has_bare_line_ends();
  const int status = head.status();
  if (kind == RequestKind::connect && status / 100 == 2) {
    framing.keeps_alive = false;  // it is no longer an HTTP connection
  } else if (kind == RequestKind::head || status / 100 == 1 || status == 204 || status == 304) {
    framing.kind = Framing::Kind::none;
  } else if (*coding == TransferCoding::chunked) {
    framing.kind = Framing::Kind::chunked;
    if (*length || head.minor_version() == 0) framing.keeps_alive = false;
  } else if (*length) {
    framing.kind = Framing::Kind::length;
    framing.length = **length;
  } else {
    framing.kind = Framing::Kind::until_close;
    framing.keeps_alive = false;
  }
  return framing;
}

}  // namespace gossamer::wire

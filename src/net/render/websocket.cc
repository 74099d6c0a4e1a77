#include "render/websocket.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/number.h"
#include "render/base64.h"
#include "wire/digest_hash.h"

namespace gossamer::render {
namespace {

constexpr std::size_t kHeadBytesMax = 8 * 1024;
constexpr std::size_t kControlBytesMax = 125;  // of a frame without a message

Error broken(std::string_view why) {
  return Error(Errc::malformed, "broken WebSocket: " + std::string(why));
}

// The value of a field in a head; empty: there is none.
std::string_view field_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (base::equals_ignoring_case(line.substr(0, colon), name)) {
      return base::trimmed(line.substr(colon + 1), " \t");
    }
  }
  return {};
}

// RFC 6455 section 4.2.2.
std::string accept_of(std::string_view key) {
  constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  return to_base64(
      as_bytes(wire::digest_bytes(wire::DigestHash::sha1, std::string(key) + std::string(kGuid))));
}

bool is_control(FrameKind kind) { return static_cast<unsigned>(kind) >= 8; }

void append_number(std::string& bytes, std::uint64_t number, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(number >> shift & 0xFF));
  }
}

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

Result<WebSocketUrl> parse_websocket_url(std::string_view url) {
  constexpr std::string_view kPlain = "ws://";
  constexpr std::string_view kTls = "wss://";
  const auto wrong = [] {
    return fail(Errc::invalid_argument, "not a URL like ws://HOST:PORT/... or wss://HOST/...");
  };
  const bool is_tls = base::equals_ignoring_case(url.substr(0, kTls.size()), kTls);
  const std::string_view scheme = is_tls ? kTls : kPlain;
  if (!base::equals_ignoring_case(url.substr(0, scheme.size()), scheme)) return wrong();
  url.remove_prefix(scheme.size());
  const bool is_sendable =
      std::ranges::all_of(url, [](char c) { return c > ' ' && c != '#' && c != '@' && c < 0x7F; });
  std::string_view authority = url.substr(0, url.find_first_of("/?"));
  url.remove_prefix(authority.size());
  WebSocketUrl parsed = {
      .port = static_cast<std::uint16_t>(is_tls ? 443 : 80),
      .is_tls = is_tls,
      .target = url.starts_with('/') ? std::string(url) : "/" + std::string(url)};
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && !authority.ends_with(']')) {
    std::uint64_t port = 0;
    if (!base::parse_number(authority.substr(colon + 1), port)) return wrong();
    if (port == 0 || port > 0xFFFF) return wrong();
    parsed.port = static_cast<std::uint16_t>(port);
    authority = authority.substr(0, colon);
  }
  parsed.host = authority;
  if (parsed.host.empty() || !is_sendable) return wrong();
  return parsed;
}

std::string websocket_request(const WebSocketUrl& url, std::string_view key) {
  return "GET " + url.target + " HTTP/1.1\r\nHost: " + url.host + ":" + std::to_string(url.port) +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: " +
         std::string(key) + "\r\n\r\n";
}

Result<std::optional<std::size_t>> read_websocket_answer(std::string_view received,
                                                         std::string_view key) {
  const std::size_t end = received.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (received.size() <= kHeadBytesMax) return std::nullopt;
    return fail(broken("the head of the answer is too long"));
  }
  const std::string_view head = received.substr(0, end + 2);
  const std::string_view status = head.substr(0, head.find("\r\n"));
  if (!status.starts_with("HTTP/1.1 101")) {
    return fail(Errc::malformed, "the answer is not a WebSocket, but " + std::string(status));
  }
  const bool is_upgrade = base::equals_ignoring_case(field_of(head, "Upgrade"), "websocket");
  if (!is_upgrade || field_of(head, "Sec-WebSocket-Accept") != accept_of(key)) {
    return fail(broken("the answer is not for this request"));
  }
  if (!field_of(head, "Sec-WebSocket-Extensions").empty()) {
    return fail(broken("an extension that was not offered"));
  }
  return end + 4;
}

std::string websocket_frame(FrameKind kind, std::string_view payload, std::array<char, 4> mask) {
  constexpr char kLast = '\x80';
  constexpr std::uint64_t kMasked = 0x80;
  std::string frame(1, static_cast<char>(kLast | static_cast<char>(kind)));
  if (payload.size() < 126) {
    append_number(frame, kMasked | payload.size(), 1);
  } else if (payload.size() <= 0xFFFF) {
    append_number(frame, kMasked | 126, 1);
    append_number(frame, payload.size(), 2);
  } else {
    append_number(frame, kMasked | 127, 1);
    append_number(frame, payload.size(), 8);
  }
  frame.append(mask.data(), mask.size());
  const std::size_t begin = frame.size();
  frame += payload;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame[begin + i] = static_cast<char>(frame[begin + i] ^ mask[i % mask.size()]);
  }
  return frame;
}

// RFC 6455 section 5.2.
Result<std::optional<WebSocketReader::Frame>> WebSocketReader::next_frame() {
  const std::string_view rest = std::string_view(received_).substr(read_);
  if (rest.size() < 2) return std::nullopt;
  const auto first = static_cast<unsigned char>(rest[0]);
  const auto second = static_cast<unsigned char>(rest[1]);
  if ((first & 0x70) != 0) return fail(broken("reserved bits"));
  if ((second & 0x80) != 0) return fail(broken("a server must not mask"));
  constexpr auto kKinds = std::to_array({FrameKind::continuation, FrameKind::text, FrameKind::close,
                                         FrameKind::ping, FrameKind::pong});
  const auto kind = static_cast<FrameKind>(first & 0x0F);
  if (std::ranges::find(kKinds, kind) == kKinds.end()) return fail(broken("a kind of frame"));
  const std::size_t short_size = second & 0x7F;
  const std::size_t wide = short_size == 126 ? 2 : short_size == 127 ? 8 : 0;
  if (rest.size() < 2 + wide) return std::nullopt;
  const std::uint64_t size = wide == 0 ? short_size : number_in(rest.substr(2, wide));
  Frame frame = {.kind = kind, .is_last = (first & 0x80) != 0, .payload = {}};
  if (is_control(kind) && (!frame.is_last || size > kControlBytesMax)) {
    return fail(broken("a frame of control is too long"));
  }
  if (size > bytes_max_) return fail(Errc::over_limit, "a message of the browser is too long");
  if (rest.size() - 2 - wide < size) return std::nullopt;
  frame.payload = rest.substr(2 + wide, static_cast<std::size_t>(size));
  read_ += 2 + wide + frame.payload.size();
  return frame;
}

Result<std::optional<WebSocketReader::Message>> WebSocketReader::next() {
  for (;;) {
    auto frame = next_frame();
    if (!frame) return fail(std::move(frame).error());
    if (!*frame) {
      received_.erase(0, std::exchange(read_, 0));
      return std::nullopt;
    }
    const Frame& part = **frame;
    if (is_control(part.kind)) return Message{part.kind, std::string(part.payload)};
    const bool continues = part.kind == FrameKind::continuation;
    if (continues != begun_.has_value()) return fail(broken("frames in the wrong order"));
    if (!begun_) begun_.emplace();
    if (begun_->size() + part.payload.size() > bytes_max_) {
      return fail(Errc::over_limit, "a message of the browser is too long");
    }
    *begun_ += part.payload;
    if (part.is_last) return Message{FrameKind::text, *std::exchange(begun_, std::nullopt)};
  }
}

}  // namespace gossamer::render

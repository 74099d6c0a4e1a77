// For tests: the frames of HTTP/2 (RFC 9113 section 4), written by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::http2 {

enum class Type : std::uint8_t {
  data = 0,
  headers = 1,
  priority = 2,
  rst_stream = 3,
  settings = 4,
  push_promise = 5,
  ping = 6,
  goaway = 7,
  window_update = 8,
  continuation = 9,
  unknown = 0x77,
};

enum class Code : std::uint8_t {
  no_error = 0,
  protocol_error = 1,
  internal_error = 2,
  flow_control_error = 3,
  stream_closed = 5,
  frame_size_error = 6,
  refused_stream = 7,
  cancel = 8,
  compression_error = 9,
  enhance_your_calm = 11,
  http_1_1_required = 13,
};

inline constexpr std::uint8_t kNone = 0;
inline constexpr std::uint8_t kEndStream = 1;
inline constexpr std::uint8_t kAck = 1;
inline constexpr std::uint8_t kEndHeaders = 4;
inline constexpr std::uint8_t kPadded = 8;
inline constexpr std::size_t kFrameHeaderBytes = 9;

// The bytes of a number, the highest first.
inline std::string number(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = bytes; i-- > 0;) text += static_cast<char>(value >> (8 * i));
  return text;
}

inline std::string frame(Type type, std::uint8_t flags, std::uint32_t stream,
                         std::string_view payload) {
  return number(payload.size(), 3) + static_cast<char>(type) + static_cast<char>(flags) +
         number(stream, 4) + std::string(payload);
}

// RFC 7541 section 5.1, with a prefix of 7 bits and the first one zero.
inline std::string hpack_length(std::size_t size) {
  if (size < 127) return {static_cast<char>(size)};
  std::string text = "\x7f";
  for (size -= 127; size >= 128; size /= 128) text += static_cast<char>(size % 128 + 128);
  return text + static_cast<char>(size);
}

using Fields = std::vector<std::pair<std::string, std::string>>;

// RFC 7541 section 6.2.2: literals that are not indexed.
inline std::string hpack(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    text += '\0';
    text += hpack_length(name.size()) + name + hpack_length(value.size()) + value;
  }
  return text;
}

inline std::string settings(const std::vector<std::pair<std::uint16_t, std::uint32_t>>& all = {}) {
  std::string payload;
  for (const auto& [id, value] : all) payload += number(id, 2) + number(value, 4);
  return frame(Type::settings, kNone, 0, payload);
}
inline constexpr std::uint16_t kMaxConcurrentStreams = 3;
inline constexpr std::uint16_t kInitialWindowSize = 4;
inline constexpr std::uint16_t kMaxFrameSize = 5;

inline std::string settings_ack() { return frame(Type::settings, kAck, 0, {}); }

inline std::string headers(std::uint32_t stream, const Fields& fields, std::uint8_t flags = kNone) {
  return frame(Type::headers, static_cast<std::uint8_t>(flags | kEndHeaders), stream,
               hpack(fields));
}
inline std::string data(std::uint32_t stream, std::string_view bytes, std::uint8_t flags = kNone) {
  return frame(Type::data, flags, stream, bytes);
}
inline std::string reset(std::uint32_t stream, Code code) {
  return frame(Type::rst_stream, kNone, stream, number(static_cast<std::uint32_t>(code), 4));
}
inline std::string goaway(std::uint32_t last_stream, Code code) {
  return frame(Type::goaway, kNone, 0,
               number(last_stream, 4) + number(static_cast<std::uint32_t>(code), 4));
}
inline std::string ping() { return frame(Type::ping, kNone, 0, "12345678"); }
inline std::string window_update(std::uint32_t stream, std::uint32_t bytes) {
  return frame(Type::window_update, kNone, stream, number(bytes, 4));
}

// A whole response.
inline std::string response(std::uint32_t stream, std::string_view body,
                            std::string_view status = "200") {
  return headers(stream, {{":status", std::string(status)}, {"content-type", "text/plain"}}) +
         data(stream, body, kEndStream);
}

struct Frame {
  Type type = Type::unknown;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
  std::string payload;

  bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
};

inline constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// Removes the whole frames from the front of `bytes`.
inline std::vector<Frame> take_frames(std::string& bytes) {
  const auto byte_at = [&](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at]));
  };
  std::vector<Frame> frames;
  if (bytes.starts_with(kPreface)) bytes.erase(0, kPreface.size());
  while (bytes.size() >= kFrameHeaderBytes) {
    const std::size_t size = (byte_at(0) << 16) | (byte_at(1) << 8) | byte_at(2);
    if (bytes.size() < kFrameHeaderBytes + size) break;
    frames.push_back({.type = static_cast<Type>(byte_at(3)),
                      .flags = static_cast<std::uint8_t>(byte_at(4)),
                      .stream = ((byte_at(5) & 0x7F) << 24) | (byte_at(6) << 16) |
                                (byte_at(7) << 8) | byte_at(8),
                      .payload = bytes.substr(kFrameHeaderBytes, size)});
    bytes.erase(0, kFrameHeaderBytes + size);
  }
  return frames;
}

}  // namespace gossamer::http2

// A client of the WebSocket protocol (RFC 6455). It does no I/O.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::render {

// "ws://127.0.0.1:9222/devtools/browser/1".
struct WebSocketUrl {
  std::string host;
  std::uint16_t port = 80;
  bool is_tls = false;  // wss
  std::string target;   // path and query
};
// Fails with Errc::invalid_argument.
Result<WebSocketUrl> parse_websocket_url(std::string_view url);

// `key`: 16 random bytes in Base64.
std::string websocket_request(const WebSocketUrl& url, std::string_view key);
// Returns the length of the head of the answer; nothing if it is not whole yet. Fails with
// Errc::malformed if the server does not change to this protocol. BOUND: 8 KiB.
Result<std::optional<std::size_t>> read_websocket_answer(std::string_view received,
                                                         std::string_view key);

enum class FrameKind : std::uint8_t { continuation = 0, text = 1, close = 8, ping = 9, pong = 10 };
// A frame of a client. The mask is random.
std::string websocket_frame(FrameKind kind, std::string_view payload, std::array<char, 4> mask);

// Reads the frames of a server.
class WebSocketReader {
 public:
  // BOUND: a message has at most this many bytes.
  explicit WebSocketReader(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  struct Message {
    FrameKind kind = FrameKind::text;  // or ping, pong, close
    std::string payload;
  };
  void feed(Bytes bytes) { received_ += as_text(bytes); }
  // Returns the next whole message; nothing if more bytes are needed. Fails with Errc::malformed,
  // and with Errc::over_limit if a message is too long.
  Result<std::optional<Message>> next();

 private:
  struct Frame {
    FrameKind kind = FrameKind::text;
    bool is_last = false;
    std::string_view payload;
  };
  Result<std::optional<Frame>> next_frame();

  const std::size_t bytes_max_;
  std::string received_;
  std::size_t read_ = 0;              // of it
  std::optional<std::string> begun_;  // a message whose last frame has not come
};

}  // namespace gossamer::render

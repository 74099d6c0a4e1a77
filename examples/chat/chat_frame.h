#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/buffer.h"
#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::sim {

// What the chat's servers and clients say to each other. On the wire:
//
//   | length: 4 | kind: 1 | room or line number: 4 | client: 4 | sequence: 4 | text |
//               |<--------------------- `length` bytes ---------------------------->|
//
// Numbers are little-endian; a frame that does not use one says 0.
struct ChatFrame {
  enum class Kind : std::uint8_t {
    join,     // client: let `client` into the room `number`
    welcome,  // server: you will hear everything from line `number` on
    line,     // `client` says `text`; from a server with its number in the room
  };

  Kind kind = Kind::line;
  std::uint32_t number = 0;
  std::uint32_t client = 0;
  std::uint32_t sequence = 0;  // counts the lines of one client
  std::string text;

  friend bool operator==(const ChatFrame&, const ChatFrame&) = default;
};

std::string encode(const ChatFrame& frame);

// Finds the frames in what arrives in pieces.
class ChatFrameReader {
 public:
  static constexpr std::size_t kTextBytesMax = 4096;

  // REQUIRES: next() has said that there is nothing more.
  void feed(Bytes bytes);
  // Nothing: feed more. Fails with Errc::malformed or Errc::over_limit.
  Result<std::optional<ChatFrame>> next();
  // No frame has begun.
  bool at_boundary() const { return buffer_.empty(); }

 private:
  // Room for an unfinished frame and the largest receive behind it.
  Buffer buffer_{1024 * 1024};
};

}  // namespace gossamer::sim

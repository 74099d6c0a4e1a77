#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "tests/simulated/buffer.h"

namespace gossamer::sim {

// The messages between the chat's servers and clients. On the wire:
//
//   | length: 4 | kind: 1 | room or line number: 4 | client: 4 | sequence: 4 | text |
//               |<--------------------- `length` bytes ---------------------------->|
//
// Numbers are little-endian; unused ones are 0.
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

// Finds the frames in data that arrives in pieces.
class ChatFrameReader {
 public:
  static constexpr std::size_t kTextBytesMax = 4096;

  // REQUIRES: next() has returned nothing.
  void feed(Bytes bytes);
  // Returns nothing if it needs more data. Fails with Errc::malformed or Errc::over_limit.
  Result<std::optional<ChatFrame>> next();
  // Returns whether no frame has begun.
  bool at_boundary() const { return buffer_.empty(); }

 private:
  // Room for an unfinished frame and the largest receive after it.
  Buffer buffer_{1024 * 1024};
};

}  // namespace gossamer::sim

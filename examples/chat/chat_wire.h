#pragma once

#include <cstdint>
#include <utility>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "examples/chat/chat_frame.h"

namespace gossamer::sim {

// How long a chat waits for the other side. A connection without a fault is never so slow.
struct ChatPatience {
  Duration connect = 10s;
  Duration send = 30s;     // one frame
  Duration receive = 30s;  // the next bytes
  // Waits for bytes in pieces of this length, so that timeouts happen all the time, some in the
  // very instant in which the bytes arrive, and none may lose a byte.
  Duration glance = 100ms;
};

// The traffic of all wires of a chat.
struct ChatTraffic {
  std::uint64_t bytes_offered = 0;  // to a send, whether or not it succeeded
  std::uint64_t bytes_sent = 0;     // by sends that succeeded
  std::uint64_t bytes_received = 0;
};

// Frames over one connection. One task can call say() while another calls hear().
class ChatWire {
 public:
  // BORROWS: the traffic, as long as it lives.
  ChatWire(async::Socket socket, ChatPatience patience, ChatTraffic& traffic) noexcept
      : socket_(std::move(socket)), patience_(patience), traffic_(traffic) {}

  // Fails with Errc::timed_out if the peer reads nothing.
  async::Task<Result<void>> say(ChatFrame frame);
  // Fails with Errc::closed if the peer has ended the stream, with Errc::peer_closed if it ended
  // inside a frame, with Errc::timed_out if it sends nothing.
  async::Task<Result<ChatFrame>> hear();
  // Ends sending; receiving continues.
  async::Task<Result<void>> finish();

 private:
  // BORROWS: the bytes, until it is over.
  async::Task<Result<void>> send(Bytes bytes);
  async::Task<Result<async::Lent>> receive();
  async::Task<Result<async::Lent>> receive_in_glances();

  async::Socket socket_;
  ChatPatience patience_;
  ChatTraffic& traffic_;
  ChatFrameReader reader_;
};

}  // namespace gossamer::sim

#pragma once

#include <cstdint>
#include <utility>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "examples/chat/chat_frame.h"

namespace gossamer::sim {

// How long a chat waits for the other side. Nobody without a fault on its connection is so slow.
struct ChatPatience {
  Duration connect = 10s;
  Duration send = 30s;     // one frame
  Duration receive = 30s;  // the next bytes
  // Waits for bytes in pieces of this length: so timeouts strike all the time, among them those
  // that come in the instant in which the bytes do, and none may cost a byte.
  Duration glance = 100ms;
};

// What all wires of a chat carried.
struct ChatTraffic {
  std::uint64_t bytes_offered = 0;  // to a send, whether or not it succeeded
  std::uint64_t bytes_sent = 0;     // by sends that succeeded
  std::uint64_t bytes_received = 0;
};

// Frames over one connection. One may say() while another hears().
class ChatWire {
 public:
  // BORROWS: the traffic, as long as it lives.
  ChatWire(async::Socket socket, ChatPatience patience, ChatTraffic& traffic) noexcept
      : socket_(std::move(socket)), patience_(patience), traffic_(traffic) {}

  // Fails with Errc::timed_out when the peer takes nothing.
  async::Task<Result<void>> say(ChatFrame frame);
  // Fails with Errc::closed when the peer has said all, with Errc::peer_closed when it stopped
  // inside a frame, with Errc::timed_out when it says nothing.
  async::Task<Result<ChatFrame>> hear();
  // We say no more and go on hearing.
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

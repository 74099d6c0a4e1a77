#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "async/endpoint.h"
#include "async/event.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "examples/chat/chat_frame.h"
#include "examples/chat/chat_wire.h"

namespace gossamer::sim {

// The members of one room and everything they said, in the order in which the server received it.
class ChatRoom {
 public:
  // A member who may still say something.
  class Speaker {
   public:
    // BORROWS: the room.
    explicit Speaker(ChatRoom& room) noexcept : room_(room) { ++room_.speakers_; }
    Speaker(const Speaker&) = delete;
    Speaker& operator=(const Speaker&) = delete;
    ~Speaker() {
      --room_.speakers_;
      room_.tell_if_finished();
    }

   private:
    ChatRoom& room_;
  };

  const std::vector<ChatFrame>& lines() const { return lines_; }
  void add(ChatFrame line);
  // From now on nobody can join.
  void close_doors();
  // Returns whether nobody can say anything any more.
  bool finished() const { return doors_closed_ && speakers_ == 0; }
  // Set when there is a new line or the room has finished.
  async::Event& changed() { return changed_; }

 private:
  void tell_if_finished();
  void tell();

  std::vector<ChatFrame> lines_;
  std::size_t speakers_ = 0;
  bool doors_closed_ = false;
  async::Event changed_;
};

// One server of the chat, with rooms. Each member receives everything that is said in its room, at
// its own speed: a slow or silent member does not delay the others.
class ChatServer {
 public:
  // BORROWS: the traffic, as long as it lives.
  ChatServer(const async::Endpoint& endpoint, std::size_t rooms, ChatPatience patience,
             ChatTraffic& traffic);

  // Accepts clients until `doors_close` and ends when the last has left.
  async::Task<Result<void>> serve(Instant doors_close);

  const ChatRoom& room(std::size_t number) const { return rooms_[number]; }

 private:
  async::Task<Result<void>> attend(async::Socket socket);
  // BORROWS: the wire and the room, until it is over.
  async::Task<Result<void>> hear_out(ChatWire& wire, ChatRoom& room, std::uint32_t client);
  // BORROWS: the wire and the room, until it is over.
  async::Task<Result<void>> tell_all(ChatWire& wire, ChatRoom& room, std::size_t first);

  const async::Endpoint endpoint_;
  const ChatPatience patience_;
  ChatTraffic& traffic_;
  std::deque<ChatRoom> rooms_;  // rooms must not move
  bool doors_closed_ = false;
};

}  // namespace gossamer::sim

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "examples/chat/chat_frame.h"
#include "examples/chat/chat_wire.h"

namespace gossamer::sim {

// The plan of one client of the chat.
struct ChatClientPlan {
  std::uint32_t client = 0;
  std::uint32_t server = 0;
  std::uint32_t room = 0;
  Duration comes_after = Duration::zero();
  struct Line {
    Duration pause = Duration::zero();
    std::string text;
  };
  std::vector<Line> lines;
  // Leaves after its last line without waiting for the others.
  bool leaves_early = false;
};

// The result of one client.
struct ChatClientRecord {
  std::optional<std::uint32_t> connection;  // its number in the simulated network
  std::uint32_t lines_said = 0;
  std::optional<std::uint32_t> welcomed_at;  // the first line it was promised
  std::vector<ChatFrame> heard;
  bool heard_all = false;  // the server said that there are no more lines
};

// One client, from joining to leaving.
class ChatClient {
 public:
  // BORROWS: the traffic, as long as it lives.
  ChatClient(ChatClientPlan plan, const async::Endpoint& server, ChatPatience patience,
             ChatTraffic& traffic);

  // REQUIRES: runs on the loop of a simulated world.
  async::Task<Result<void>> take_part();

  const ChatClientPlan& plan() const { return plan_; }
  const ChatClientRecord& record() const { return record_; }

 private:
  // BORROWS: the wire, until it is over.
  async::Task<Result<void>> speak(ChatWire& wire);
  // BORROWS: the wire, until it is over.
  async::Task<Result<void>> hear_all(ChatWire& wire);

  const ChatClientPlan plan_;
  const async::Endpoint server_;
  const ChatPatience patience_;
  ChatTraffic& traffic_;
  ChatClientRecord record_;
};

}  // namespace gossamer::sim

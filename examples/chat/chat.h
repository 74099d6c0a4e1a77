#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "examples/chat/chat_client.h"
#include "examples/chat/chat_server.h"
#include "examples/chat/chat_wire.h"
#include "tests/simulated/sim_driver.h"

namespace gossamer::sim {

// A chat in a simulated world: servers with rooms, clients that join, say lines, hear what the
// others say and leave, and a faulty network. It is the runtime's endurance test: timeouts,
// cancellation, back-pressure and half-closed connections all occur, and in the end every byte and
// every line must be accounted for.
class Chat {
 public:
  // Draws the participants and their lines.
  explicit Chat(std::uint64_t seed);

  // Runs the whole chat and ends when all clients have left. Fails only with Errc::cancelled.
  // REQUIRES: runs on the loop of a simulated world; once.
  async::Task<Result<void>> run();

  // Returns the problems of the run, one sentence each; empty if there are none:
  // * The network's ledger is balanced and agrees with what the wires counted.
  // * Every line in a room, and every line that a client heard, was said, is intact, and the lines
  //   of each client are in order and without gaps.
  // * A client without a fault was welcomed, said all its lines, and heard all of its room from
  //   then on.
  std::vector<std::string> problems(const SimDriver& driver) const;

  std::size_t servers() const { return servers_.size(); }
  std::size_t clients() const { return clients_.size(); }
  std::uint64_t lines_said() const;
  std::uint64_t lines_heard() const;
  // Clients whose connection met a fault.
  std::size_t clients_hit(const SimDriver& driver) const;

 private:
  const ChatRoom& room_of(const ChatClient& client) const;
  std::string fault_of_order(const std::vector<ChatFrame>& lines) const;
  void examine(const ChatClient& client, Fault fault, std::vector<std::string>& found) const;
  void examine_rooms(std::vector<std::string>& found) const;

  ChatPatience patience_;
  ChatPatience client_patience_;
  ChatTraffic traffic_;
  std::size_t rooms_per_server_;
  std::deque<ChatServer> servers_;
  std::deque<ChatClient> clients_;
};

struct ChatReport {
  std::uint64_t seed = 0;
  std::size_t servers = 0;
  std::size_t clients = 0;
  std::size_t clients_hit = 0;  // whose connection met a fault
  std::uint64_t lines_said = 0;
  std::uint64_t lines_heard = 0;
  Duration virtual_time = Duration::zero();
  std::uint64_t trace_hash = 0;
  std::uint64_t trace_size = 0;
  Ledger ledger;
  std::vector<std::string> problems;  // empty if there are none
};

// Runs one chat in the world of `options`, or in one with faults drawn from the seed.
ChatReport run_chat(const SimOptions& options);
ChatReport run_chat(std::uint64_t seed);

// A few lines for people: the numbers and the problems.
std::string describe(const ChatReport& report);

}  // namespace gossamer::sim

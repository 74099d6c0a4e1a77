#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/mutex.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/connection.h"
#include "redis/resp.h"
#include "redis/server_url.h"
#include "redis/slot_map.h"

namespace gossamer::redis {

// A command for the server that owns a slot.
struct Command {
  std::uint16_t slot = 0;
  std::vector<std::string> words;
};

struct ClientOptions {
  std::vector<Node> seeds;  // the servers to ask first
  // For one attempt to connect, and for one attempt of a call. A master that is silent for this
  // long is no longer waited for.
  Duration attempt_timeout = 5s;
  // Before the second attempt after an error; it doubles with each one.
  Duration pause_min = 50ms;
  Duration pause_max = 1s;
  ConnectionOptions connection;
};

// Calls that block their connection (WAIT) and calls that must not wait for them use different
// connections to the same server.
enum class Lane : std::uint8_t {
  bulk,     // large calls
  waiting,  // small calls that wait for replicas
  quick,    // calls that never wait for replicas
};
inline constexpr std::size_t kLanes = 3;

struct RunOptions {
  Instant deadline = base::kNever;  // for all attempts together
  Lane lane = Lane::bulk;
  // The number of replicas that must have the result; 0: none. A command that fewer have fails with
  // Errc::unavailable, although the master has executed it.
  // REQUIRES: 0 on Lane::quick.
  std::uint32_t replicas = 0;
  Duration replicas_timeout = 1s;
  // Also repeats commands that too few replicas have, and those that fail with Errc::unavailable:
  // until the deadline.
  bool is_persistent = false;
  // The command may be sent again although it may have been executed.
  bool is_repeatable = true;
};

// A client of a Redis Cluster, or of one server that is not part of a cluster.
//
// It sends commands to the owners of their slots, all of a batch concurrently and those of one
// server together. It follows redirections (MOVED, ASK), and repeats commands that fail because a
// server or the cluster is not ready (TRYAGAIN, CLUSTERDOWN, LOADING, READONLY, lost connections)
// until the deadline.
//
// It reads the slot map from the server that answered last. If that map has no owner for a slot, or
// one that does not answer, is cut off (CLUSTERDOWN) or is no master any more (READONLY), it asks
// all servers in turn.
class Client {
 public:
  // BORROWS: the scope and the connector of `access`, which must outlive the client. Connections
  // run in the scope until close().
  Client(Access access, ClientOptions options, async::Scope& scope);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(); }

  // Reads the slot map from the first seed that answers. Fails with the error of the last seed,
  // immediately with Errc::denied. BORROWS: the client.
  async::Task<Result<void>> open(Instant deadline);
  // Ends all connections; calls fail from then on. Idempotent.
  void close();

  // Runs the commands and returns a result for each. An error of the server is a failure, see
  // error_of(). Errc::unavailable and Errc::timed_out mean that a server was not ready until the
  // deadline, or that it is unknown whether a command that is not repeatable was executed.
  // REQUIRES: open() succeeded. BORROWS: the client.
  async::Task<std::vector<Result<Reply>>> run(std::vector<Command> commands, RunOptions options);
  async::Task<Result<Reply>> run(Command command, RunOptions options);
  // Runs commands on one server, once. Errors of the server are replies. BORROWS: the client.
  async::Task<Result<std::vector<Reply>>> run_on(Node node, Commands commands, Lane lane,
                                                 Instant deadline);

  // Reads the slot map again. BORROWS: the client.
  async::Task<Result<void>> reload(Instant deadline);

  const Credentials& credentials() const noexcept { return access_.credentials; }
  const SlotMap& slots() const noexcept { return slots_; }
  bool is_cluster() const noexcept { return is_cluster_; }
  // What was sent, since the beginning.
  struct Counts {
    std::uint64_t commands = 0;
    std::uint64_t round_trips = 0;  // to one server each
    std::uint64_t redirections = 0;
    std::uint64_t repeats = 0;
    std::uint64_t missing_functions = 0;  // calls of functions that a server does not have
  };
  const Counts& counts() const noexcept { return counts_; }

 private:
  struct Line {
    async::Mutex opening;
    std::shared_ptr<Connection> connection;
  };
  // A command without a result.
  struct Open {
    std::size_t index;
    std::optional<Node> asked;  // send it there, after ASKING
  };
  struct Round;
  struct Group;

  async::Task<Result<std::shared_ptr<Connection>>> connection_to(Node node, Lane lane,
                                                                 Instant deadline);
  async::Task<Result<void>> refresh(Instant deadline);
  async::Task<Result<void>> refresh_from(Node node, Instant deadline);
  // The servers that may have the map, the best first.
  std::vector<Node> servers_with_map();
  // The map was of no use. The next one comes from another server than this one, if one answers.
  void doubt_map(const Node& server);
  // BORROWS: the round and the group, while it is awaited.
  async::Task<void> send(Round& round, Group& group);
  std::vector<Group> group(Round& round);
  void read_replies(Round& round, const Group& group, Result<std::vector<Reply>> replies);
  void read_reply(Round& round, const Open& open, const Node& sender, Reply reply, bool is_safe);
  void repeat_or_fail(Round& round, const Open& open, Error error);
  void drop_unused_lines();
  Duration pause_before(std::size_t attempt) const;

  const Access access_;
  const ClientOptions options_;
  async::Scope& scope_;
  // Shared with calls that open a connection meanwhile.
  std::map<std::pair<Node, Lane>, std::shared_ptr<Line>> lines_;
  SlotMap slots_;
  Node answered_;  // the last server that answered a request for the map
  bool is_cluster_ = false;
  // Numbers requests for the map, and doubts. By server, the last one.
  std::uint64_t map_requests_ = 0;
  std::map<Node, std::uint64_t> asked_for_map_;
  bool is_stale_ = false;     // the slot map
  bool is_doubtful_ = false;  // likewise; the next one comes from the server of the oldest request
  bool is_closed_ = false;
  async::Mutex refreshing_;
  Counts counts_;
};

}  // namespace gossamer::redis

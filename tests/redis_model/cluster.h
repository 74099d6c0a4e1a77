// For tests: a Redis Cluster in the simulated world. Its servers speak RESP on the simulated
// network, so that the client of the product connects to them.
//
// * Replicas lag behind their masters. WAIT waits for what its connection has written.
// * A master that dies is replaced by its most advanced replica; what that has not got is lost.
//   When it is back, it is a replica and has the data of the new master.
// * A master that pauses is replaced, too. When it continues, it answers what was sent to it
//   meanwhile with its old data, before it hears that it was replaced.
// * Slots move as CLUSTER SETSLOT and MIGRATE say. A master that hears that another one owns its
//   slot deletes the keys, but its replicas keep them.
//
// Every node of a crawl has its own door: other addresses of the same servers. So one node can be
// cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/server_url.h"
#include "tests/redis_model/server.h"
#include "tests/simulated/range.h"

namespace gossamer::redis_model {

struct ClusterOptions {
  std::size_t masters = 3;   // 0: one server that is no cluster
  std::size_t replicas = 1;  // of each master
  std::size_t doors = 1;
  sim::Range<Duration> lag = {100us, 20ms};      // of replicas
  sim::Range<Duration> detection = {1s, 3s};     // until a silent master is replaced
  sim::Range<Duration> loading = {50ms, 500ms};  // after a start
  Duration clock_offset_max = Duration::zero();  // of each server, both ways
  bool requires_full_coverage = false;
};

class Cluster final : public View {
 public:
  // REQUIRES: a loop runs.
  Cluster(const ClusterOptions& options, base::Random random);
  ~Cluster() override;

  // Starts all servers. stop() must be awaited before the destruction.
  void start();
  async::Task<void> stop();  // BORROWS: the cluster

  std::vector<redis::Node> seeds(std::size_t door) const;
  // "redis://10.50.0.1:7000,.../NAME"
  std::string url(std::size_t door, std::string_view crawl) const;

  // Faults. Its replica replaces a master that is down or paused for some time.
  void kill(std::size_t number);
  // It was killed: starts it again.
  void revive(std::size_t number);
  void pause(std::size_t number, bool is_paused);
  // A replica hears nothing of its master.
  void set_linked(std::size_t number, bool is_linked);
  // Its memory is full.
  void set_full(std::size_t number, bool is_full) { servers_[number]->is_full = is_full; }
  // Nothing passes a door, or again.
  void cut_door(std::size_t door, bool is_cut);
  // Nobody comes in any more.
  void close_door(std::size_t door, bool is_closed);

  std::size_t failovers() const { return failovers_; }
  std::size_t moves() const { return moves_; }
  // How often a call ended a crawl, on all servers.
  std::size_t ends() const;
  // The sums of a field of all partitions (hashes C{...}) of masters.
  std::int64_t sum(const std::string& field) const;
  std::vector<std::size_t> masters() const;
  std::vector<std::size_t> replicas_of(std::size_t master) const;
  // True if a master and all its replicas work and are connected, and the replicas had its data.
  bool is_well(std::size_t master) const;
  std::uint64_t commands() const { return commands_; }
  // Leases of hosts, in their order.
  struct Grant {
    Instant at;
    std::string host;
    std::size_t door = 0;
  };
  const std::vector<Grant>& grants() const { return grants_; }

  const std::vector<std::size_t>* owners() const override;
  Server& server(std::size_t number) override { return *servers_[number]; }
  std::size_t size() const override { return servers_.size(); }
  std::string address(std::size_t number, std::size_t door) const override;
  void assign(std::uint16_t slot, std::size_t owner) override;
  bool is_silent(const Server& server) const override;
  bool is_down() const override;
  void changed(std::size_t number) override;

 private:
  struct Process {
    async::JoinHandle<Result<void>> life;
    async::Event runs;  // not while it is paused
  };
  struct Door {
    async::Event is_open;  // not while it is cut
    bool is_closed = false;
  };

  async::Task<Result<void>> listen(Server& server, std::size_t door);
  async::Task<Result<void>> serve(Server& server, std::size_t door, async::Socket socket);
  async::Task<Result<void>> wait(Server& server, const Words& words, const Session& session,
                                 std::string& out);
  async::Task<Result<void>> wait_for_ack(Server& server);
  async::Task<Result<void>> replicate(Server& replica);
  async::Task<Result<void>> live(std::size_t number);
  async::Task<Result<void>> live_again(std::size_t number);
  async::Task<Result<void>> load(Server& server);
  async::Task<Result<void>> replace_later(std::size_t number);
  async::Task<Result<void>> demote_soon(std::size_t number);
  void replace(std::size_t number);
  std::uint64_t next_epoch() const;
  void note_grants(const Words& words, const Reply& reply, std::size_t door);
  bool can_follow(const Server& replica) const;
  void tell_all();
  std::size_t acknowledged(const Server& server, std::size_t length) const;
  std::int64_t time_of(const Server& server) const;

  const ClusterOptions options_;
  base::Random random_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::unique_ptr<Door>> doors_;
  std::vector<std::size_t> owners_;  // by slot
  std::vector<std::size_t> slots_;   // how many each server has
  async::Scope tasks_{async::OnFailure::keep_going};
  std::size_t failovers_ = 0;
  std::size_t moves_ = 0;
  std::uint64_t commands_ = 0;
  std::vector<Grant> grants_;
};

}  // namespace gossamer::redis_model

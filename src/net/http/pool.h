#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "async/event.h"
#include "async/intrusive_list.h"
#include "async/loop.h"
#include "async/semaphore.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "http/connection.h"

namespace gossamer::http {

struct PoolOptions {
  // Concurrent exchanges with one origin; more wait in line.
  std::size_t exchanges_per_origin_max = 64;
  // Open connections, including idle ones. An idle one is closed when another origin needs a slot.
  std::size_t connections_max = 1024;
  // Idle connections kept for one origin.
  std::size_t idle_per_origin_max = 64;
  // An idle connection is closed after this time; servers do the same after 5 to 75 seconds.
  Duration idle_max = 30s;
};

class Pool;

// The pool's data for one key.
struct PooledOrigin {
  PooledOrigin(Pool& home, std::size_t exchanges_max) noexcept : pool(home), turns(exchanges_max) {}

  Pool& pool;
  const std::string* key = nullptr;  // in the pool's table
  async::Semaphore turns;
  async::IntrusiveList<Availability> available;  // with room; the last one used at the end
  std::uint32_t idle = 0;
  std::uint32_t users = 0;  // turns, waiters for one, connections, and a dial
};

// Connections by what they can be used for. The key contains everything that distinguishes
// connections: scheme, host, port, proxy, TLS settings and credentials. Belongs to one loop and
// must outlive all leases.
//
//   auto turn = co_await pool.enter(key);               // in line with others of this origin
//   auto lease = pool.take(*turn);                      // a connection with room, if there is one
//   ... else: make_room(), connect, adopt()
class Pool {
 public:
  // The right to run one exchange with an origin.
  class [[nodiscard]] Turn {
   public:
    Turn(Turn&& other) noexcept
        : origin_(std::exchange(other.origin_, nullptr)), permit_(std::move(other.permit_)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    friend class Pool;
    Turn(PooledOrigin& origin, async::Semaphore::Permit permit) noexcept
        : origin_(&origin), permit_(std::move(permit)) {}

    PooledOrigin* origin_;  // it exists as long as this turn
    async::Semaphore::Permit permit_;
  };

  // A turn and its connection. Destroying it keeps the connection for the next user, or closes it
  // if it cannot be reused. The exchange must have ended by then.
  class [[nodiscard]] Lease {
   public:
    Lease() = default;  // an empty lease
    Lease(Lease&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
    Lease& operator=(Lease&& other) noexcept {
      Lease old(std::move(*this));
      connection_ = std::exchange(other.connection_, nullptr);
      return *this;
    }
    ~Lease();

    explicit operator bool() const { return connection_ != nullptr; }
    // REQUIRES, for the following members: the lease is not empty.
    Connection& connection() const { return *connection_; }
    // Returns whether it was idle for kRest or longer, so that the server may have sent something.
    bool has_rested() const { return connection_->has_rested_; }
    // Closes the connection and keeps the turn, to try again with a new one.
    Turn close() &&;

   private:
    friend class Pool;
    Lease(Turn turn, Connection& connection) noexcept;

    // It knows the origin whose turn is held. One word, because every frame that waits contains it.
    Connection* connection_ = nullptr;
  };

  // The first connection to an origin, while it is made. Its destructor wakes those that wait.
  class [[nodiscard]] Dial {
   public:
    Dial(const Dial&) = delete;
    Dial& operator=(const Dial&) = delete;
    ~Dial();

   private:
    friend class Pool;
    explicit Dial(PooledOrigin& origin);
    PooledOrigin& origin_;
  };

  // A connection that was idle for less is used without a check: some time always passes between a
  // check and the request.
  static constexpr Duration kRest = 1ms;

  // The permission to open one more connection.
  using Room = async::Semaphore::Permit;

  explicit Pool(const PoolOptions& options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Returns a turn and a connection that was not idle for kRest at `now`; an empty lease if it
  // would have to wait for either.
  Lease try_lease(const std::string& key, Instant now);
  // Waits in line. BORROWS: the pool.
  async::Task<Result<Turn>> enter(std::string key);
  // Returns a lease of an available connection, the last one used. If there is none, returns an
  // empty lease and leaves the turn unchanged.
  Lease take(Turn& turn);
  // Waits until one more connection can be opened, and closes an idle one for it. BORROWS: the
  // pool.
  async::Task<Result<Room>> make_room();
  // Tells the others that a connection is being made which they may share.
  // REQUIRES: !is_dialing(turn).
  Dial dial(const Turn& turn) { return Dial(*turn.origin_); }
  bool is_dialing(const Turn& turn) const { return dials_.contains(turn.origin_); }
  // Waits until that connection is made, or has failed. co_await gives a Result<void>.
  // REQUIRES: is_dialing(turn). BORROWS: the turn.
  async::Event::Wait wait_for_dial(const Turn& turn) { return dials_.at(turn.origin_).wait(); }
  Lease adopt(Turn turn, Room room, std::unique_ptr<Connection> connection);

  void close_idle() noexcept;
  std::size_t idle() const { return idle_.size() + idle_shared_.size(); }
  std::size_t open() const { return open_; }
  // Connections that carry concurrent exchanges (HTTP/2), and the exchanges on them: their streams.
  std::size_t shared() const { return shared_; }
  std::size_t streams() const { return streams_; }
  std::size_t origins() const { return origins_.size(); }

 private:
  PooledOrigin& origin_of(std::string key);
  static void leave(PooledOrigin& origin) noexcept;
  Lease take(Turn& turn, Instant now);
  static void count_lease(Connection& connection) noexcept;
  static void discount_lease(Connection& connection) noexcept;
  void give_back(Connection& connection) noexcept;
  void close(Connection& connection) noexcept;
  void end_idling(Connection& connection) noexcept;
  static void set_available(Connection& connection, bool is_available) noexcept;
  async::IntrusiveList<Connection>& idle_list_of(const Connection& connection) noexcept;
  void close_expired(Instant now) noexcept;
  void arm_sweep() noexcept;

  const PoolOptions options_;
  std::unordered_map<std::string, PooledOrigin> origins_;
  // Set when the dial has ended. Few origins have one, so it is not a part of each.
  std::unordered_map<const PooledOrigin*, async::Event> dials_;
  // The longest idle first. Shared ones take more memory, so they are closed before the others.
  async::IntrusiveList<Connection> idle_;
  async::IntrusiveList<Connection> idle_shared_;
  async::Semaphore rooms_;
  std::size_t waiting_for_room_ = 0;
  std::size_t open_ = 0;
  std::size_t shared_ = 0;
  std::size_t streams_ = 0;
  async::TimerHandle sweep_;
};

}  // namespace gossamer::http

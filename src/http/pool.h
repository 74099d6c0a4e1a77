#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "async/intrusive_list.h"
#include "async/loop.h"
#include "async/semaphore.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "http/connection.h"

namespace gossamer::http {

struct PoolOptions {
  // Exchanges at once with one origin; more wait in line.
  std::size_t exchanges_per_origin_max = 64;
  // Open connections, idle ones included. An idle one is closed when another origin needs room.
  std::size_t connections_max = 1024;
  // Idle connections kept for one origin.
  std::size_t idle_per_origin_max = 64;
  // An idle connection is closed after so long; servers do the same after 5 to 75 seconds.
  Duration idle_max = 30s;
};

// Connections by what they may be used for. The key says all that sets connections apart: scheme,
// host, port, proxy, TLS settings and credentials. Belongs to one loop and dies after all leases.
//
//   auto turn = co_await pool.enter(key);               // in line with others of this origin
//   auto lease = pool.take(*turn);                      // a connection with room, if there is one
//   ... else: make_room(), connect, adopt()
class Pool {
  struct Origin;
  struct Slot;

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
    Turn(Origin& origin, async::Semaphore::Permit permit) noexcept
        : origin_(&origin), permit_(std::move(permit)) {}

    Origin* origin_;  // that cannot go away meanwhile
    async::Semaphore::Permit permit_;
  };

  // A turn and the connection to use. Giving it back (by destroying it) keeps the connection for
  // the next, or closes it when it is spent. The exchange must have ended by then.
  class [[nodiscard]] Lease {
   public:
    Lease(Lease&& other) noexcept
        : slot_(std::exchange(other.slot_, nullptr)),
          permit_(std::move(other.permit_)),
          is_reused_(other.is_reused_),
          has_rested_(other.has_rested_) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    Connection& connection() const;
    // It served an earlier exchange, so it may have died meanwhile.
    bool is_reused() const { return is_reused_; }
    // Nobody had used it for kRest or longer, in which the server may have said something.
    bool has_rested() const { return has_rested_; }
    // Closes the connection and keeps the turn, to try again with a fresh one.
    Turn close() &&;

   private:
    friend class Pool;
    Lease(Turn turn, Slot& slot, bool is_reused) noexcept;

    Slot* slot_;  // knows the origin
    async::Semaphore::Permit permit_;
    bool is_reused_;
    bool has_rested_ = false;
  };

  // A connection that was idle for less is used without another look: between a look and the
  // request there is a moment in any case.
  static constexpr Duration kRest = 1ms;

  // Leave for one more connection to be open.
  using Room = async::Semaphore::Permit;

  explicit Pool(const PoolOptions& options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // A turn and a connection that has not rested by `now`, if neither has to be waited for.
  std::optional<Lease> try_lease(const std::string& key, Instant now);
  // Waits in line. BORROWS: the pool.
  async::Task<Result<Turn>> enter(std::string key);
  // A lease of a connection that has room, the one used last; or the turn as it was.
  std::optional<Lease> take(Turn& turn);
  // Waits until one more connection may be open, and closes an idle one for it. BORROWS: the pool.
  async::Task<Result<Room>> make_room();
  Lease adopt(Turn turn, Room room, std::unique_ptr<Connection> connection);

  void close_idle() noexcept;
  std::size_t idle() const { return idle_.size(); }
  std::size_t open() const { return open_; }
  std::size_t origins() const { return origins_.size(); }

 private:
  // A slot's place in the list of its origin.
  struct Availability : public async::ListNode<Availability> {};

  // A connection in the pool. In idle_ while nobody has a lease of it.
  struct Slot : public async::ListNode<Slot>, public Availability {
    Slot(Origin& home, Room permit, std::unique_ptr<Connection> made) noexcept
        : origin(home), room(std::move(permit)), connection(std::move(made)) {}

    Origin& origin;
    Room room;
    std::unique_ptr<Connection> connection;
    Instant idle_since = {};
    std::uint32_t leases = 0;
    bool is_idle = false;
    bool is_available = false;
  };

  struct Origin {
    explicit Origin(Pool& home) noexcept
        : pool(home), turns(home.options_.exchanges_per_origin_max) {}

    Pool& pool;
    const std::string* key = nullptr;  // in origins_
    async::Semaphore turns;
    async::IntrusiveList<Availability> available;  // with room; the one used last at the end
    std::uint32_t idle = 0;
    std::uint32_t users = 0;  // turns, those who wait for one, and connections
  };

  Origin& origin_of(std::string key);
  static void leave(Origin& origin) noexcept;
  std::optional<Lease> take(Turn& turn, Instant now);
  void give_back(Slot& slot) noexcept;
  void close(Slot& slot) noexcept;
  void end_idling(Slot& slot) noexcept;
  static void set_available(Slot& slot, bool is_available) noexcept;
  void close_expired(Instant now) noexcept;
  void arm_sweep() noexcept;

  const PoolOptions options_;
  std::unordered_map<std::string, Origin> origins_;
  async::IntrusiveList<Slot> idle_;  // the longest idle first
  async::Semaphore rooms_;
  std::size_t waiting_for_room_ = 0;
  std::size_t open_ = 0;
  async::TimerHandle sweep_;
};

}  // namespace gossamer::http

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "async/inbox.h"
#include "base/time.h"

namespace gossamer::sim {

// Simulated worlds on one thread each whose loops post to each other. Every world has its own
// virtual clock; the convoy keeps them together. No clock gets more than `slack` ahead of one that
// has earlier work: such a world waits, in real time, until the others have caught up or until
// something is posted to its loop. A world that only waits lets the others pass, and a post sets
// its clock by theirs.
//
// Within a world, events happen in the order of its clock. The order between worlds depends on the
// threads, so a run cannot be repeated exactly: a test must hold for every order.
//
//   sim::Convoy convoy(2, 10ms);
//   on each thread:
//     sim::World world(options);
//     world.driver().join(convoy);
//     world.run(program());
//
// Threads outside the convoy may post too, but no world waits for them: if all worlds wait and none
// has an event or a timer, that is a deadlock.
class Convoy {
 public:
  // REQUIRES: this many worlds will join; until then they hold the others back.
  Convoy(std::size_t worlds, Duration slack);
  Convoy(const Convoy&) = delete;
  Convoy& operator=(const Convoy&) = delete;
  // REQUIRES: all have left.
  ~Convoy();

  // The view of one world on the others. Belongs to its thread, except wake().
  class Member {
   public:
    // BORROWS: both.
    Member(Convoy& convoy, async::Inbox& inbox);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    // Moves the clock to `to`, or less far if there is a post meanwhile, and returns its new time.
    // Nothing: all wait for each other. REQUIRES: `to` is in the future.
    std::optional<Instant> move_on(Instant to);
    // Called when something was posted while it slept. Any thread.
    void wake() noexcept;

   private:
    struct Waiting;
    std::optional<Instant> wait_for(Instant to);

    Convoy& convoy_;
    const std::size_t index_;
  };

 private:
  // Data that all threads read often has its own cache line.
  struct alignas(128) Ship {
    std::atomic<Instant> clock = Instant();
    // Guarded by the mutex.
    async::Inbox* inbox = nullptr;  // nullptr before it joins and after it leaves
    Instant waits_for = {};
    bool is_waiting = false;
    bool has_left = false;
  };

  std::size_t join(async::Inbox& inbox);
  void leave(std::size_t index);
  bool is_within_reach_of_clocks(std::size_t index, Instant to) const;
  // REQUIRES, of these: the mutex is held.
  bool is_within_reach(std::size_t index, Instant to) const;
  Instant foremost() const;
  bool is_stuck() const;
  void set_alarm();

  const Duration slack_;
  std::vector<Ship> ships_;
  // A clock that reaches this time may have released another world.
  alignas(128) std::atomic<Instant> alarm_ = base::kNever;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t joined_ = 0;
  bool is_deadlocked_ = false;
};

}  // namespace gossamer::sim

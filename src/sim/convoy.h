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

// Simulated worlds on a thread each whose loops post to each other. Every world has a virtual clock
// of its own; the convoy keeps them together. No clock gets more than `slack` ahead of one that has
// something to do before that: whoever would be waits, in real time, until the others have come
// after it or until something is posted to its loop. One that only waits lets the others pass, and
// when it gets a post its clock is set by theirs.
//
// What happens inside a world happens in the order of its clock. The order in which worlds meet is
// up to the threads, so a run cannot be repeated exactly: what is to be shown must hold in each.
//
//   sim::Convoy convoy(2, 10ms);
//   on each thread:
//     sim::World world(options);
//     world.driver().join(convoy);
//     world.run(program());
//
// Threads that are not of the convoy may post, too, but nobody waits for them: when all worlds wait
// and none has an event or a timer to come, that is a deadlock.
class Convoy {
 public:
  // REQUIRES: so many will join; until then they hold the others back.
  Convoy(std::size_t worlds, Duration slack);
  Convoy(const Convoy&) = delete;
  Convoy& operator=(const Convoy&) = delete;
  // REQUIRES: all have left.
  ~Convoy();

  // One world, as its driver sees the others. Belongs to its thread, but for wake().
  class Member {
   public:
    // BORROWS: both.
    Member(Convoy& convoy, async::Inbox& inbox);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    // Moves the clock to `to`, or less far if somebody posts meanwhile, and tells where it is then.
    // Nothing: all wait for each other. REQUIRES: it is in the future.
    std::optional<Instant> move_on(Instant to);
    // Something was posted while it slept. Any thread.
    void wake() noexcept;

   private:
    struct Waiting;
    std::optional<Instant> wait_for(Instant to);

    Convoy& convoy_;
    const std::size_t index_;
  };

 private:
  // What all look at often is alone in its line of the cache.
  struct alignas(128) Ship {
    std::atomic<Instant> clock = Instant();
    // Guarded by the mutex.
    async::Inbox* inbox = nullptr;  // nullptr: not there yet, or gone
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
  // A clock that reaches this may have set somebody free.
  alignas(128) std::atomic<Instant> alarm_ = base::kNever;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t joined_ = 0;
  bool is_deadlocked_ = false;
};

}  // namespace gossamer::sim

#include "tests/simulated/convoy.h"

#include <algorithm>

#include "base/check.h"

namespace gossamer::sim {

Convoy::Convoy(std::size_t worlds, Duration slack) : slack_(slack), ships_(worlds) {
  CHECK(worlds > 0 && slack >= Duration::zero());
}

Convoy::~Convoy() {
  for (const Ship& ship : ships_) CHECK(ship.has_left, "a world outlives its convoy");
}

std::size_t Convoy::join(async::Inbox& inbox) {
  const std::scoped_lock lock(mutex_);
  CHECK(joined_ < ships_.size(), "more worlds than the convoy was made for");
  ships_[joined_].inbox = &inbox;
  return joined_++;
}

void Convoy::leave(std::size_t index) {
  const std::scoped_lock lock(mutex_);
  ships_[index].inbox = nullptr;
  ships_[index].has_left = true;
  is_deadlocked_ = is_deadlocked_ || is_stuck();
  changed_.notify_all();
}

// Clocks only move forward, so a result seen without a lock stays valid.
bool Convoy::is_within_reach_of_clocks(std::size_t index, Instant to) const {
  for (std::size_t i = 0; i < ships_.size(); ++i) {
    if (i == index) continue;
    const Instant clock = ships_[i].clock.load(std::memory_order_acquire);
    if (to > base::add_saturating(clock, slack_)) return false;
  }
  return true;
}

bool Convoy::is_within_reach(std::size_t index, Instant to) const {
  for (std::size_t i = 0; i < ships_.size(); ++i) {
    const Ship& ship = ships_[i];
    if (i == index || ship.has_left) continue;
    const Instant next = ship.is_waiting ? ship.waits_for : ship.clock.load();
    if (to > base::add_saturating(next, slack_)) return false;
  }
  return true;
}

Instant Convoy::foremost() const {
  Instant latest = {};
  for (const Ship& ship : ships_) latest = std::max(latest, ship.clock.load());
  return latest;
}

bool Convoy::is_stuck() const {
  bool is_anybody_there = false;
  for (const Ship& ship : ships_) {
    if (ship.has_left) continue;
    is_anybody_there = true;
    const bool is_at_rest = ship.is_waiting && ship.waits_for == base::kNever;
    if (!is_at_rest || !ship.inbox->empty()) return false;
  }
  return is_anybody_there;
}

void Convoy::set_alarm() {
  Instant alarm = base::kNever;
  for (const Ship& ship : ships_) {
    if (ship.is_waiting && ship.waits_for != base::kNever) {
      alarm = std::min(alarm, ship.waits_for - slack_);
    }
  }
  alarm_.store(alarm);
}

// --- one of them

Convoy::Member::Member(Convoy& convoy, async::Inbox& inbox)
    : convoy_(convoy), index_(convoy.join(inbox)) {}

Convoy::Member::~Member() { convoy_.leave(index_); }

std::optional<Instant> Convoy::Member::move_on(Instant to) {
  if (to == base::kNever || !convoy_.is_within_reach_of_clocks(index_, to)) return wait_for(to);
  // In one total order with set_alarm() and the check after it: either we see that another world
  // waits for this, or it sees our clock.
  convoy_.ships_[index_].clock.store(to);
  if (to >= convoy_.alarm_.load()) {
    const std::scoped_lock lock(convoy_.mutex_);
    convoy_.changed_.notify_all();
  }
  return to;
}

// While it lives, the other worlds treat this one as waiting.
struct Convoy::Member::Waiting {
  Waiting(Convoy& waiting_convoy, Ship& waiting_ship, Instant to)
      : convoy(waiting_convoy), ship(waiting_ship) {
    ship.is_waiting = true;
    ship.waits_for = to;
    if (to >= convoy.alarm_.load()) convoy.changed_.notify_all();
    convoy.set_alarm();
    convoy.is_deadlocked_ = convoy.is_deadlocked_ || convoy.is_stuck();
    if (convoy.is_deadlocked_) convoy.changed_.notify_all();
  }
  ~Waiting() {
    ship.is_waiting = false;
    convoy.set_alarm();
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  Convoy& convoy;
  Ship& ship;
};

std::optional<Instant> Convoy::Member::wait_for(Instant to) {
  Ship& ship = convoy_.ships_[index_];
  async::Inbox& inbox = *ship.inbox;
  std::unique_lock lock(convoy_.mutex_);
  const Waiting waiting(convoy_, ship, to);
  for (;;) {
    if (!inbox.prepare_to_sleep()) {
      // By the clock of the poster, or a little later.
      ship.clock.store(std::min(to, convoy_.foremost()));
      return ship.clock.load();
    }
    const bool is_there = to != base::kNever && convoy_.is_within_reach(index_, to);
    if (!is_there && !convoy_.is_deadlocked_) convoy_.changed_.wait(lock);
    inbox.woke_up();
    if (is_there) {
      ship.clock.store(to);
      return to;
    }
    if (convoy_.is_deadlocked_) return std::nullopt;
  }
}

void Convoy::Member::wake() noexcept {
  const std::scoped_lock lock(convoy_.mutex_);
  Ship& ship = convoy_.ships_[index_];
  // We may have already found it, and wait for something else.
  if (!ship.is_waiting || ship.inbox->empty()) return;
  // The poster must not run ahead of its own post before our thread runs.
  ship.waits_for = std::min(ship.waits_for, convoy_.foremost());
  convoy_.changed_.notify_all();
}

}  // namespace gossamer::sim

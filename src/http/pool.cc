#include "http/pool.h"

#include "base/check.h"

namespace gossamer::http {

Pool::Turn::~Turn() {
  if (origin_ == nullptr) return;
  permit_.release();
  leave(*origin_);
}

Pool::Lease::Lease(Turn turn, Slot& slot, bool is_reused) noexcept
    : slot_(&slot), permit_(std::move(turn.permit_)), is_reused_(is_reused) {
  turn.origin_ = nullptr;  // from now on we are its user
  ++slot.leases;
}

Pool::Lease::~Lease() {
  if (slot_ == nullptr) return;
  Origin& origin = slot_->origin;
  origin.pool.give_back(*slot_);
  permit_.release();
  leave(origin);
}

Connection& Pool::Lease::connection() const { return *slot_->connection; }

Pool::Turn Pool::Lease::close() && {
  Slot& slot = *std::exchange(slot_, nullptr);
  Origin& origin = slot.origin;
  if (--slot.leases == 0) origin.pool.close(slot);
  return {origin, std::move(permit_)};
}

Pool::Pool(const PoolOptions& options) : options_(options), rooms_(options.connections_max) {}

Pool::~Pool() {
  close_idle();
  CHECK(open_ == 0, "a pool dies with {} connections leased", open_);
}

Pool::Origin& Pool::origin_of(std::string key) {
  const auto place = origins_.try_emplace(std::move(key), *this).first;
  place->second.key = &place->first;
  return place->second;
}

async::Task<Result<Pool::Turn>> Pool::enter(std::string key) {
  Origin& origin = origin_of(std::move(key));
  ++origin.users;
  auto permit = co_await origin.turns.acquire();
  if (!permit) {
    leave(origin);
    co_return fail(std::move(permit).error());
  }
  co_return Turn(origin, std::move(*permit));
}

std::optional<Pool::Lease> Pool::try_lease(const std::string& key, Instant now) {
  const auto place = origins_.find(key);
  if (place == origins_.end() || place->second.available.empty()) return std::nullopt;
  Origin& origin = place->second;
  const auto& slot = static_cast<const Slot&>(*origin.available.last());
  if (slot.is_idle && now - slot.idle_since >= kRest) return std::nullopt;
  auto permit = origin.turns.try_acquire();
  if (!permit) return std::nullopt;
  ++origin.users;
  Turn turn(origin, std::move(*permit));
  return take(turn, now);
}

std::optional<Pool::Lease> Pool::take(Turn& turn) {
  return take(turn, async::Loop::current().now());
}

std::optional<Pool::Lease> Pool::take(Turn& turn, Instant now) {
  close_expired(now);
  Availability* const last = turn.origin_->available.last();
  if (last == nullptr) return std::nullopt;
  auto& slot = static_cast<Slot&>(*last);
  const bool was_idle = slot.is_idle;
  if (was_idle) end_idling(slot);
  // One that carries a single exchange is not there for others; others go on being offered.
  set_available(slot, slot.connection->room() > 1);
  Lease lease(std::move(turn), slot, true);
  lease.has_rested_ = was_idle && now - slot.idle_since >= kRest;
  return lease;
}

async::Task<Result<Pool::Room>> Pool::make_room() {
  if (auto room = rooms_.try_acquire()) co_return std::move(*room);
  if (!idle_.empty()) close(idle_.front());
  ++waiting_for_room_;
  auto room = co_await rooms_.acquire();
  --waiting_for_room_;
  co_return room;
}

Pool::Lease Pool::adopt(Turn turn, Room room, std::unique_ptr<Connection> connection) {
  Origin& origin = *turn.origin_;
  auto* const slot =
      new Slot(origin, std::move(room), std::move(connection));  // close() deletes it
  ++origin.users;
  ++open_;
  set_available(*slot, slot->connection->room() > 1);
  return Lease(std::move(turn), *slot, false);
}

void Pool::give_back(Slot& slot) noexcept {
  --slot.leases;
  const bool is_reusable = slot.connection->is_reusable();
  set_available(slot, false);
  if (slot.leases > 0) return set_available(slot, is_reusable && slot.connection->room() > 0);

  const bool has_place = slot.origin.idle < options_.idle_per_origin_max;
  const bool is_wanted = is_reusable && options_.idle_max > Duration::zero();
  if (!is_wanted || !has_place || waiting_for_room_ > 0) return close(slot);
  // At the end of its list: used last, it is the warmest, and the least likely to have been closed
  // by the server.
  set_available(slot, true);
  slot.idle_since = async::Loop::current().now();
  slot.is_idle = true;
  idle_.push_back(slot);
  ++slot.origin.idle;
  arm_sweep();
}

void Pool::set_available(Slot& slot, bool is_available) noexcept {
  if (slot.is_available == is_available) return;
  slot.is_available = is_available;
  if (is_available) {
    slot.origin.available.push_back(slot);
  } else {
    slot.origin.available.remove(slot);
  }
}

void Pool::end_idling(Slot& slot) noexcept {
  slot.is_idle = false;
  idle_.remove(slot);
  --slot.origin.idle;
}

// REQUIRES: nobody has a lease of it.
void Pool::close(Slot& slot) noexcept {
  Origin& origin = slot.origin;
  set_available(slot, false);
  if (slot.is_idle) end_idling(slot);
  delete &slot;
  --open_;
  leave(origin);
}

void Pool::leave(Origin& origin) noexcept {
  if (--origin.users > 0) return;
  auto& origins = origin.pool.origins_;
  origins.erase(origins.find(*origin.key));
}

void Pool::close_idle() noexcept {
  while (!idle_.empty()) close(idle_.front());
}

void Pool::close_expired(Instant now) noexcept {
  while (!idle_.empty() && now - idle_.front().idle_since >= options_.idle_max) {
    close(idle_.front());
  }
}

// One timer for all of them: the oldest decides.
void Pool::arm_sweep() noexcept {
  if (idle_.empty() || sweep_.pending()) return;
  const Instant due = base::add_saturating(idle_.front().idle_since, options_.idle_max);
  sweep_ = async::Loop::current().call_at(due, [this] {
    close_expired(async::Loop::current().now());
    arm_sweep();
  });
}

}  // namespace gossamer::http

#include "http/pool.h"

#include <algorithm>

#include "base/check.h"

namespace gossamer::http {

Pool::Turn::~Turn() {
  if (origin_ == nullptr) return;
  permit_.release();
  leave(*origin_);
}

Pool::Lease::Lease(Turn turn, Connection& connection) noexcept : connection_(&connection) {
  turn.origin_ = nullptr;  // this object is its user now
  turn.permit_.forget();
  count_lease(connection);
}

Pool::Lease::~Lease() {
  if (connection_ == nullptr) return;
  PooledOrigin& origin = *connection_->origin_;
  origin.pool.give_back(*connection_);
  origin.turns.recall().release();
  leave(origin);
}

Pool::Turn Pool::Lease::close() && {
  Connection& connection = *std::exchange(connection_, nullptr);
  PooledOrigin& origin = *connection.origin_;
  discount_lease(connection);
  if (connection.leases_ == 0) origin.pool.close(connection);
  return {origin, origin.turns.recall()};
}

Pool::Dial::Dial(PooledOrigin& origin) : origin_(origin) {
  CHECK(origin_.pool.dials_.try_emplace(&origin_).second);
  ++origin_.users;
}

Pool::Dial::~Dial() {
  auto& dials = origin_.pool.dials_;
  const auto dialed = dials.find(&origin_);
  dialed->second.set();
  dials.erase(dialed);
  leave(origin_);
}

Pool::Pool(const PoolOptions& options) : options_(options), rooms_(options.connections_max) {}

Pool::~Pool() {
  close_idle();
  CHECK(open_ == 0, "a pool dies with {} connections leased", open_);
}

PooledOrigin& Pool::origin_of(std::string key) {
  const auto place =
      origins_.try_emplace(std::move(key), *this, options_.exchanges_per_origin_max).first;
  place->second.key = &place->first;
  return place->second;
}

async::Task<Result<Pool::Turn>> Pool::enter(std::string key) {
  PooledOrigin& origin = origin_of(std::move(key));
  ++origin.users;
  auto permit = co_await origin.turns.acquire();
  if (!permit) {
    leave(origin);
    co_return fail(std::move(permit).error());
  }
  co_return Turn(origin, std::move(*permit));
}

Pool::Lease Pool::try_lease(const std::string& key, Instant now) {
  const auto place = origins_.find(key);
  if (place == origins_.end() || place->second.available.empty()) return {};
  PooledOrigin& origin = place->second;
  const auto& connection = static_cast<const Connection&>(*origin.available.last());
  if (connection.is_idle_ && now - connection.idle_since_ >= kRest) return {};
  if (connection.room() == 0) return {};
  auto permit = origin.turns.try_acquire();
  if (!permit) return {};
  ++origin.users;
  Turn turn(origin, std::move(*permit));
  return take(turn, now);
}

Pool::Lease Pool::take(Turn& turn) { return take(turn, async::Loop::current().now()); }

Pool::Lease Pool::take(Turn& turn, Instant now) {
  close_expired(now);
  Connection* found = nullptr;
  while (found == nullptr) {
    Availability* const last = turn.origin_->available.last();
    if (last == nullptr) return {};
    found = static_cast<Connection*>(last);
    if (found->room() > 0) break;
    // A shared connection has ended since it was used.
    set_available(*found, false);
    if (found->is_idle_) close(*found);
    found = nullptr;
  }
  Connection& connection = *found;
  const bool was_idle = connection.is_idle_;
  if (was_idle) end_idling(connection);
  // A connection for a single exchange is no longer available; others stay available.
  set_available(connection, connection.room() > 1);
  connection.has_rested_ = was_idle && now - connection.idle_since_ >= kRest;
  return {std::move(turn), connection};
}

async::Task<Result<Pool::Room>> Pool::make_room() {
  if (auto room = rooms_.try_acquire()) co_return std::move(*room);
  for (auto* const list : {&idle_shared_, &idle_}) {
    if (list->empty()) continue;
    close(list->front());
    break;
  }
  ++waiting_for_room_;
  auto room = co_await rooms_.acquire();
  --waiting_for_room_;
  co_return room;
}

Pool::Lease Pool::adopt(Turn turn, Room room, std::unique_ptr<Connection> connection) {
  Connection& adopted = *connection.release();  // close() deletes it
  adopted.origin_ = turn.origin_;
  room.forget();  // every open connection holds one
  ++turn.origin_->users;
  ++open_;
  if (adopted.is_shared()) ++shared_;
  set_available(adopted, adopted.room() > 1);
  return {std::move(turn), adopted};
}

void Pool::count_lease(Connection& connection) noexcept {
  ++connection.leases_;
  if (connection.is_shared()) ++connection.origin_->pool.streams_;
}

void Pool::discount_lease(Connection& connection) noexcept {
  --connection.leases_;
  if (connection.is_shared()) --connection.origin_->pool.streams_;
}

void Pool::give_back(Connection& connection) noexcept {
  discount_lease(connection);
  const bool is_reusable = connection.is_reusable();
  set_available(connection, false);
  if (connection.leases_ > 0) {
    return set_available(connection, is_reusable && connection.room() > 0);
  }

  const bool has_place = connection.origin_->idle < options_.idle_per_origin_max;
  const bool is_wanted = is_reusable && options_.idle_max > Duration::zero();
  if (!is_wanted || !has_place || waiting_for_room_ > 0) return close(connection);
  // At the end of its list: the last one used is in the cache, and the least likely to have been
  // closed by the server.
  set_available(connection, true);
  connection.idle_since_ = async::Loop::current().now();
  connection.is_idle_ = true;
  idle_list_of(connection).push_back(connection);
  ++connection.origin_->idle;
  arm_sweep();
}

void Pool::set_available(Connection& connection, bool is_available) noexcept {
  if (connection.is_available_ == is_available) return;
  connection.is_available_ = is_available;
  if (is_available) {
    connection.origin_->available.push_back(connection);
  } else {
    connection.origin_->available.remove(connection);
  }
}

void Pool::end_idling(Connection& connection) noexcept {
  connection.is_idle_ = false;
  idle_list_of(connection).remove(connection);
  --connection.origin_->idle;
}

// REQUIRES: it is not leased.
void Pool::close(Connection& connection) noexcept {
  PooledOrigin& origin = *connection.origin_;
  set_available(connection, false);
  if (connection.is_idle_) end_idling(connection);
  if (connection.is_shared()) --shared_;
  delete &connection;
  rooms_.recall().release();
  --open_;
  leave(origin);
}

void Pool::leave(PooledOrigin& origin) noexcept {
  if (--origin.users > 0) return;
  auto& origins = origin.pool.origins_;
  origins.erase(origins.find(*origin.key));
}

async::IntrusiveList<Connection>& Pool::idle_list_of(const Connection& connection) noexcept {
  return connection.is_shared() ? idle_shared_ : idle_;
}

void Pool::close_idle() noexcept {
  for (auto* const list : {&idle_, &idle_shared_}) {
    while (!list->empty()) close(list->front());
  }
}

void Pool::close_expired(Instant now) noexcept {
  for (auto* const list : {&idle_, &idle_shared_}) {
    while (!list->empty() && now - list->front().idle_since_ >= options_.idle_max) {
      close(list->front());
    }
  }
}

// One timer for all connections: the oldest decides.
void Pool::arm_sweep() noexcept {
  if (idle() == 0 || sweep_.pending()) return;
  Instant oldest = Instant::max();
  for (const auto* const list : {&idle_, &idle_shared_}) {
    if (!list->empty()) oldest = std::min(oldest, list->front().idle_since_);
  }
  const Instant due = base::add_saturating(oldest, options_.idle_max);
  sweep_ = async::Loop::current().call_at(due, [this] {
    close_expired(async::Loop::current().now());
    arm_sweep();
  });
}

}  // namespace gossamer::http

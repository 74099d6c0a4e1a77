#include "tests/redis_model/cluster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/check.h"
#include "redis/slot.h"

namespace gossamer::redis_model {
namespace {

using async::Task;

constexpr std::uint16_t kPort = 7000;
constexpr std::int64_t kTimeOfStart = 1'700'000'000;  // seconds since 1970

Instant now() { return async::Loop::current().now(); }

}  // namespace

Cluster::Cluster(const ClusterOptions& options, base::Random random)
    : options_(options), random_(std::move(random)) {
  const std::size_t masters = std::max<std::size_t>(options.masters, 1);
  for (std::size_t i = 0; i < masters * (1 + options.replicas); ++i) {
    servers_.push_back(std::make_unique<Server>(i, *this));
    processes_.push_back(std::make_unique<Process>());
    Server& server = *servers_.back();
    if (i >= masters) server.master = (i - masters) % masters;
    server.epoch = i;
    server.clock_offset = sim::draw({-options.clock_offset_max, options.clock_offset_max}, random_);
  }
  for (std::size_t i = 0; i < options.doors; ++i) {
    doors_.push_back(std::make_unique<Door>());
    doors_.back()->is_open.set();
  }
  slots_.resize(servers_.size());
  for (std::size_t slot = 0; slot < redis::kSlots; ++slot) {
    owners_.push_back(slot * masters / redis::kSlots);
    ++slots_[owners_.back()];
  }
}

Cluster::~Cluster() = default;

void Cluster::start() {
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    processes_[i]->runs.set();
    processes_[i]->life = tasks_.spawn(live(i));
    tasks_.spawn(replicate(*servers_[i]));
  }
}

Task<void> Cluster::stop() {
  tasks_.cancel();
  static_cast<void>(co_await tasks_.join());
}

// --- what is known of it

std::string Cluster::address(std::size_t number, std::size_t door) const {
  return fmt::format("10.{}.0.{}", 50 + door, number + 1);
}

std::vector<redis::Node> Cluster::seeds(std::size_t door) const {
  std::vector<redis::Node> nodes;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    nodes.push_back({.host = address(i, door), .port = kPort});
  }
  return nodes;
}

std::string Cluster::url(std::size_t door, std::string_view crawl) const {
  std::vector<std::string> names;
  for (const redis::Node& node : seeds(door)) names.push_back(node.to_string());
  return fmt::format("redis://{}/{}", fmt::join(names, ","), crawl);
}

const std::vector<std::size_t>* Cluster::owners() const {
  return options_.masters == 0 ? nullptr : &owners_;
}

void Cluster::assign(std::uint16_t slot, std::size_t owner) {
  const std::size_t before = std::exchange(owners_[slot], owner);
  --slots_[before];
  ++slots_[owner];
  servers_[owner]->epoch = next_epoch();
  servers_[before]->lost_slots.insert(slot);
  if (!is_silent(*servers_[before])) servers_[before]->drop_lost_slots();
  ++moves_;
}

std::uint64_t Cluster::next_epoch() const {
  std::uint64_t last = 0;
  for (const auto& server : servers_) last = std::max(last, server->epoch);
  return last + 1;
}

bool Cluster::is_silent(const Server& server) const {
  return !server.is_up || !processes_[server.number()]->runs.is_set();
}

bool Cluster::is_down() const {
  if (!options_.requires_full_coverage) return false;
  return std::ranges::any_of(masters(),
                             [this](std::size_t each) { return is_silent(*servers_[each]); });
}

std::vector<std::size_t> Cluster::masters() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    if (slots_[i] > 0) all.push_back(i);
  }
  return all;
}

std::vector<std::size_t> Cluster::replicas_of(std::size_t master) const {
  std::vector<std::size_t> all;
  for (const auto& server : servers_) {
    if (server->master == master) all.push_back(server->number());
  }
  return all;
}

bool Cluster::is_well(std::size_t master) const {
  const auto is_good = [this](const Server& server) {
    return !is_silent(server) && !server.is_loading && server.is_linked;
  };
  const Server& server = *servers_[master];
  const std::vector<std::size_t> replicas = replicas_of(master);
  return is_good(server) && !replicas.empty() && std::ranges::all_of(replicas, [&](auto each) {
           return is_good(*servers_[each]) && servers_[each]->has(server, 0);
         });
}

std::size_t Cluster::ends() const {
  std::size_t sum = 0;
  for (const auto& server : servers_) sum += server->ends;
  return sum;
}

std::int64_t Cluster::sum(const std::string& field) const {
  std::int64_t all = 0;
  for (const std::size_t master : masters()) {
    for (const auto& [key, value] : servers_[master]->data().keys()) {
      if (!key.starts_with("C{") || owners_[redis::slot_of(key)] != master) continue;  // a copy
      const Hash* const hash = std::get_if<Hash>(&value);
      if (hash != nullptr && hash->contains(field)) all += std::stoll(hash->at(field));
    }
  }
  return all;
}

std::int64_t Cluster::time_of(const Server& server) const {
  const Duration since = now().time_since_epoch() + server.clock_offset;
  return kTimeOfStart * 1'000'000 +
         std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

// --- connections

Task<Result<void>> Cluster::live(std::size_t number) {
  async::Scope scope(async::OnFailure::keep_going);
  for (std::size_t door = 0; door < doors_.size(); ++door) {
    scope.spawn(listen(*servers_[number], door));
  }
  co_return co_await scope.join();
}

Task<Result<void>> Cluster::listen(Server& server, std::size_t door) {
  auto at = *async::Endpoint::parse_address(address(server.number(), door));
  at.port = kPort;
  auto listener = async::Listener::bind(at);
  CHECK(listener.has_value());
  async::Scope scope(async::OnFailure::keep_going);
  while (auto socket = co_await listener->accept()) {
    if (!doors_[door]->is_closed) scope.spawn(serve(server, door, std::move(*socket)));
  }
  scope.cancel();
  co_return co_await scope.join();
}

Task<Result<void>> Cluster::serve(Server& server, std::size_t door, async::Socket socket) {
  redis::RespReader reader;
  Session session = {.door = door};
  for (;;) {
    std::string received;
    {
      auto lent = co_await socket.receive();
      if (!lent) co_return fail(std::move(lent).error());
      if (lent->end()) co_return {};
      received = as_text(lent->bytes());
    }
    if (auto open = co_await doors_[door]->is_open.wait(); !open) co_return open;
    if (auto runs = co_await processes_[server.number()]->runs.wait(); !runs) co_return runs;
    if (doors_[door]->is_closed) co_return {};
    std::string out;
    for (Bytes rest = as_bytes(received); !rest.empty();) {
      const auto step = reader.feed(rest);
      CHECK(step.has_value());
      rest = rest.subspan(step->consumed);
      if (!step->is_done) continue;
      Words words;
      for (redis::Reply& item : reader.take().items) words.push_back(std::move(item.text));
      ++commands_;
      if (words[0] == "WAIT") {
        if (auto waited = co_await wait(server, words, session, out); !waited) co_return waited;
      } else {
        const Reply reply = server.execute(words, session, time_of(server));
        note_grants(words, reply, door);
        out += encode(reply);
      }
    }
    if (auto open = co_await doors_[door]->is_open.wait(); !open) co_return open;
    if (out.empty()) continue;
    if (auto sent = co_await socket.send(as_bytes(out)); !sent) co_return sent;
  }
}

// Replies to g4_lease: {host, ...}, ...
void Cluster::note_grants(const Words& words, const Reply& reply, std::size_t door) {
  if (words[0] != "FCALL" || !words[1].ends_with("_lease")) return;
  for (const Reply& each : reply.items) {
    if (!each.items.empty()) grants_.push_back({now(), each.items.front().text, door});
  }
}

std::size_t Cluster::acknowledged(const Server& server, std::size_t length) const {
  return static_cast<std::size_t>(std::ranges::count_if(servers_, [&](const auto& other) {
    return other->master == server.number() && can_follow(*other) && other->has(server, length);
  }));
}

// WAIT replicas milliseconds
Task<Result<void>> Cluster::wait(Server& server, const Words& words, const Session& session,
                                 std::string& out) {
  const auto wanted = static_cast<std::size_t>(std::stoul(words[1]));
  const Instant until = now() + std::chrono::milliseconds(std::stoul(words[2]));
  std::size_t known = acknowledged(server, session.last_write);
  while (known < wanted && now() < until) {
    auto woken = co_await async::with_deadline(until, wait_for_ack(server));
    if (!woken && woken.error() == Errc::cancelled) co_return woken;
    known = acknowledged(server, session.last_write);
  }
  // What a paused master had to say waits, too.
  auto runs = co_await processes_[server.number()]->runs.wait();
  if (!runs) co_return runs;
  out += encode(integer(static_cast<std::int64_t>(known)));
  co_return {};
}

Task<Result<void>> Cluster::wait_for_ack(Server& server) {
  co_return co_await server.has_acks.wait();
}

// --- replication

void Cluster::changed(std::size_t number) {
  for (const auto& server : servers_) {
    if (server->master == number) server->has_news.set();
  }
}

void Cluster::tell_all() {
  for (const auto& server : servers_) server->has_news.set();
}

bool Cluster::can_follow(const Server& replica) const {
  if (!replica.master || !replica.is_linked || is_silent(replica)) return false;
  return !is_silent(*servers_[*replica.master]);
}

Task<Result<void>> Cluster::replicate(Server& replica) {
  for (;;) {
    if (auto woken = co_await replica.has_news.wait(); !woken) co_return woken;
    replica.has_news.clear();
    if (!can_follow(replica)) continue;
    const std::size_t from = *replica.master;
    const std::size_t length = servers_[from]->length();
    if (auto slept = co_await async::sleep(sim::draw(options_.lag, random_)); !slept) {
      co_return slept;
    }
    if (!can_follow(replica) || replica.master != from) continue;
    Server& master = *servers_[from];
    replica.follow(master, std::min(length, master.length()));
    if (!replica.has(master, master.length())) replica.has_news.set();
    master.has_acks.set();
    master.has_acks.clear();
  }
}

// --- faults

void Cluster::kill(std::size_t number) {
  if (!std::exchange(servers_[number]->is_up, false)) return;
  processes_[number]->life.cancel();
  tasks_.spawn(replace_later(number));
}

void Cluster::revive(std::size_t number) {
  if (servers_[number]->is_up) return;
  tasks_.spawn(live_again(number));
}

Task<Result<void>> Cluster::live_again(std::size_t number) {
  Process& process = *processes_[number];
  while (!process.life.done()) {
    if (auto slept = co_await async::sleep(1ms); !slept) co_return slept;
  }
  Server& server = *servers_[number];
  server.is_up = true;
  server.is_loading = true;
  process.life = tasks_.spawn(live(number));
  co_return co_await load(server);
}

Task<Result<void>> Cluster::load(Server& server) {
  auto slept = co_await async::sleep(sim::draw(options_.loading, random_));
  server.is_loading = false;
  server.drop_lost_slots();
  tell_all();
  co_return slept;
}

void Cluster::pause(std::size_t number, bool is_paused) {
  Process& process = *processes_[number];
  if (process.runs.is_set() != is_paused) return;
  if (is_paused) {
    process.runs.clear();
    servers_[number]->old_owners = owners_;
    tasks_.spawn(replace_later(number));
    return;
  }
  process.runs.set();
  tasks_.spawn(demote_soon(number));
}

// A paused server hears of its replacement when it has answered what was waiting.
Task<Result<void>> Cluster::demote_soon(std::size_t number) {
  auto slept = co_await async::sleep(1ms);
  Server& server = *servers_[number];
  const std::vector<std::size_t> before = std::exchange(server.old_owners, {}).value_or(owners_);
  const auto slot = std::ranges::find(before, number);
  const bool was_master = server.is_master() && slot != before.end();
  const std::size_t owner =
      was_master ? owners_[static_cast<std::size_t>(slot - before.begin())] : number;
  if (owner != number && slots_[number] == 0) {
    server.master = owner;
    server.importing.clear();
    server.migrating.clear();
  }
  server.drop_lost_slots();
  tell_all();
  co_return slept;
}

void Cluster::set_linked(std::size_t number, bool is_linked) {
  servers_[number]->is_linked = is_linked;
  tell_all();
}

void Cluster::cut_door(std::size_t door, bool is_cut) {
  if (is_cut) {
    doors_[door]->is_open.clear();
  } else {
    doors_[door]->is_open.set();
  }
}

void Cluster::close_door(std::size_t door, bool is_closed) { doors_[door]->is_closed = is_closed; }

Task<Result<void>> Cluster::replace_later(std::size_t number) {
  auto slept = co_await async::sleep(sim::draw(options_.detection, random_));
  if (!slept) co_return slept;
  if (is_silent(*servers_[number])) replace(number);
  co_return {};
}

void Cluster::replace(std::size_t number) {
  Server* best = nullptr;
  for (const std::size_t each : replicas_of(number)) {
    Server& replica = *servers_[each];
    if (is_silent(replica) || replica.is_loading) continue;
    if (best == nullptr || replica.length() > best->length()) best = &replica;
  }
  if (best == nullptr) return;
  best->promote();
  best->is_linked = true;
  best->epoch = next_epoch();
  for (const std::size_t each : replicas_of(number)) servers_[each]->master = best->number();
  std::ranges::replace(owners_, number, best->number());
  slots_[best->number()] += std::exchange(slots_[number], 0);
  if (!servers_[number]->is_up) servers_[number]->master = best->number();
  ++failovers_;
  tell_all();
}

}  // namespace gossamer::redis_model

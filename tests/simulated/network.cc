#include "tests/simulated/network.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "base/check.h"

namespace gossamer::sim {

namespace {

using async::Endpoint;
using async::Handle;
using async::Operation;

// Linux tries seven times and gives up when the last answer is overdue: 1 + 2 + 4 + ... + 64 s.
constexpr int kTriesMax = 7;
constexpr Duration kFirstPatience = 1s;
constexpr Duration kConnectPatience = 127s;

Endpoint wildcard_of(const Endpoint& endpoint) {
  return {.family = endpoint.family, .port = endpoint.port, .address = {}};
}

}  // namespace

Network::Network(const NetworkOptions& options, base::Random random, Timeline& timeline,
                 Trace& trace, InFlight& in_flight, Handles& handles)
    : medium_(options, timeline, trace, in_flight), random_(random), handles_(handles) {
  CHECK(options.delay.valid() && options.segment_bytes.valid() && options.window_bytes.valid());
  CHECK(options.cancel_delay.valid() && options.fault_after.valid());
  CHECK(options.segment_bytes.least > 0 && options.window_bytes.least > 0);
  CHECK(options.lent_buffers_max > 0 && options.lent_buffer_bytes > 0);
}

// Looking up.

Network::Entry* Network::find(std::uint32_t number) {
  const auto found = connections_.find(number);
  return found == connections_.end() ? nullptr : found->second.get();
}

EndName Network::end_of(Handle handle) const {
  const auto found = ends_.find(handle);
  CHECK(found != ends_.end(), "handle {} is not an open socket", static_cast<int>(handle));
  return found->second;
}

Network::Entry& Network::entry_of(Handle handle) { return *find(end_of(handle).connection); }

Network::Listener* Network::listener_at(const Endpoint& endpoint) {
  auto found = listening_.find(endpoint);
  if (found == listening_.end()) found = listening_.find(wildcard_of(endpoint));
  return found == listening_.end() ? nullptr : &listeners_.at(found->second);
}

void Network::forget_if_over(std::uint32_t number) {
  Entry& entry = *find(number);
  Connection& connection = entry.connection;
  const bool held = connection.is_open(Side::client) || connection.is_open(Side::server);
  if (held || entry.asking) return;
  connection.settle();
  past_.emplace(number, connection.report());
  connections_.erase(number);
}

ConnectionReport Network::report(std::uint32_t number) const {
  const auto found = connections_.find(number);
  return found != connections_.end() ? found->second->connection.report() : past_.at(number);
}

Ledger Network::ledger() const {
  Ledger sum;
  const auto add = [&](const ConnectionReport& report) {
    sum += report.to_server;
    sum += report.to_client;
  };
  for (const auto& [number, report] : past_) add(report);
  for (const auto& [number, entry] : connections_) add(entry->connection.report());
  return sum;
}

// Operations of programs.

Result<Handle> Network::listen(Endpoint& endpoint, int backlog) {
  if (endpoint.port == 0) {
    do {
      CHECK(next_port_ != 0, "no port is free");
      endpoint.port = next_port_++;
    } while (listening_.contains(endpoint));
  }
  const Handle handle = handles_.next();
  if (!listening_.emplace(endpoint, handle).second) {
    return fail(Error::from_errno(EADDRINUSE, "bind"));
  }
  const auto room = static_cast<std::size_t>(std::max(backlog, 1));
  listeners_.emplace(handle, Listener{.endpoint = endpoint, .backlog = room});
  medium_.trace.record(medium_.timeline.now(), TraceKind::listened,
                       static_cast<std::uint32_t>(handle), endpoint.port);
  return handle;
}

Ended Network::start(Operation& operation) {
  switch (operation.kind()) {
    case Operation::Kind::connect:
      return start_connect(static_cast<async::ConnectOperation&>(operation));
    case Operation::Kind::accept:
      return start_accept(static_cast<async::AcceptOperation&>(operation));
    default: break;
  }
  const Side side = end_of(operation.handle()).side;
  Connection& connection = entry_of(operation.handle()).connection;
  switch (operation.kind()) {
    case Operation::Kind::receive:
      return connection.receive(side, static_cast<async::ReceiveOperation&>(operation));
    case Operation::Kind::send:
      return connection.send(side, static_cast<async::SendOperation&>(operation));
    default:
      CHECK(operation.kind() == Operation::Kind::shutdown, "not an operation on a socket");
      return connection.shutdown(side);
  }
}

void Network::withdraw(Operation& operation) {
  if (operation.kind() == Operation::Kind::accept) {
    listeners_.at(operation.handle()).acceptor = nullptr;
    return;
  }
  const EndName name = end_of(operation.handle());
  Entry& entry = *find(name.connection);
  if (operation.kind() != Operation::Kind::connect) {
    return entry.connection.withdraw(name.side, operation);
  }
  entry.connector = nullptr;
  ends_.erase(entry.client);
  entry.connection.abandon(Side::client);
  forget_if_over(name.connection);
}

void Network::close(Handle handle) {
  const auto listener = listeners_.find(handle);
  if (listener == listeners_.end()) {
    const EndName name = end_of(handle);
    ends_.erase(handle);
    find(name.connection)->connection.close(name.side);
    return forget_if_over(name.connection);
  }
  CHECK(listener->second.acceptor == nullptr, "a listener is closed with an accept in flight");
  for (const std::uint32_t number : listener->second.pending) {
    find(number)->connection.abandon(Side::server);
    forget_if_over(number);
  }
  listening_.erase(listener->second.endpoint);
  listeners_.erase(listener);
}

void Network::give_back(std::uint32_t buffer) {
  medium_.blocks.give_back(buffer);
  if (medium_.starving.empty() || std::exchange(feeding_, true)) return;
  medium_.timeline.schedule_after(Duration::zero(), {.kind = EventKind::buffer_returns});
}

void Network::feed_the_starving() {
  feeding_ = false;
  while (!medium_.starving.empty() && !medium_.blocks.exhausted()) {
    const EndName name = medium_.starving.front();
    medium_.starving.pop_front();
    if (Entry* const entry = find(name.connection)) entry->connection.feed(name.side);
  }
}

// Connecting.

Ended Network::start_connect(async::ConnectOperation& operation) {
  const std::uint32_t number = next_connection_++;
  auto& entry = *(connections_[number] = std::unique_ptr<Entry>(new Entry{
                      .connection = {medium_, number, operation,
                                     random_.fork("connection " + std::to_string(number))},
                      .begun = medium_.timeline.now(),
                      .connector = &operation,
                      .client = handles_.next()}));
  const EndName name = {number, Side::client};
  operation.set_handle(entry.client);
  ends_.emplace(entry.client, name);
  entry.connection.open(Side::client);
  medium_.trace.record(medium_.timeline.now(), TraceKind::connecting, name.subject(),
                       operation.peer.port);
  draw_faults(entry, number);
  return std::nullopt;
}

void Network::draw_faults(Entry& entry, std::uint32_t number) {
  Connection& connection = entry.connection;
  const EndName name = {number, Side::client};
  const NetworkOptions& options = medium_.options;
  base::Random& random = connection.random();
  // All are drawn, whether they are used or not: a changed chance must not shift the other draws.
  entry.refuses = random.chance(options.refused);
  const bool unanswered = random.chance(options.unanswered);
  const bool breaks = random.chance(options.breaks);
  const bool goes_silent = random.chance(options.goes_silent);
  const Duration breaks_after = draw(options.fault_after, random);
  const Duration silent_after = draw(options.fault_after, random);
  if (unanswered || black_holes_.contains(connection.peer())) {
    connection.meets(Fault::unanswered);
    return give_up_later(entry, name);
  }
  connection.schedule_in_order(Side::client, connection.draw_delay(),
                               connection.event(EventKind::syn_arrives, Side::client));
  if (breaks) {
    medium_.timeline.schedule_after(breaks_after,
                                    connection.event(EventKind::connection_breaks, Side::client));
  }
  if (goes_silent) {
    medium_.timeline.schedule_after(silent_after,
                                    connection.event(EventKind::connection_silent, Side::client));
  }
}

void Network::answer(Entry& entry, EndName name, int error, Duration delay) {
  entry.asking = false;
  if (!entry.connection.is_open(Side::client)) return forget_if_over(name.connection);
  entry.connection.schedule_in_order(Side::server, delay,
                                     entry.connection.event(EventKind::connect_ends, Side::client,
                                                            static_cast<std::uint64_t>(error)));
}

void Network::give_up_later(Entry& entry, EndName name) {
  answer(entry, name, ETIMEDOUT, entry.begun + kConnectPatience - medium_.timeline.now());
}

void Network::ask_again(Entry& entry, EndName name) {
  const bool wants = entry.connection.is_open(Side::client);
  if (!wants || ++entry.tries == kTriesMax) return give_up_later(entry, name);
  medium_.timeline.schedule_after(kFirstPatience * (1 << (entry.tries - 1)),
                                  entry.connection.event(EventKind::syn_arrives, Side::client));
}

void Network::syn_arrives(Entry& entry, EndName name) {
  Connection& connection = entry.connection;
  if (connection.broken()) return answer(entry, name, ECONNRESET, connection.draw_delay());
  if (connection.silent()) return give_up_later(entry, name);
  Listener* const listener = listener_at(connection.peer());
  if (listener == nullptr || entry.refuses) {
    if (listener != nullptr) connection.meets(Fault::refused);
    return answer(entry, name, ECONNREFUSED, connection.draw_delay());
  }
  if (listener->pending.size() >= listener->backlog) return ask_again(entry, name);
  connection.open(Side::server);
  listener->pending.push_back(name.connection);
  answer(entry, name, 0, connection.draw_delay());
  serve(*listener);
}

void Network::connect_ends(Entry& entry, int error) {
  if (entry.connector == nullptr) return;
  const EndName name = end_of(entry.client);
  // The success was swallowed on the way.
  if (error == 0 && entry.connection.silent()) return give_up_later(entry, name);
  if (error == 0 && entry.connection.broken()) error = ECONNRESET;
  async::ConnectOperation& operation = *std::exchange(entry.connector, nullptr);
  medium_.trace.record(medium_.timeline.now(),
                       error == 0 ? TraceKind::connected : TraceKind::refused, name.subject(),
                       static_cast<std::uint64_t>(error));
  if (error != 0) {
    ends_.erase(entry.client);
    entry.connection.abandon(Side::client);
  }
  medium_.in_flight.finish(operation, -error);
}

// Accepting.

Ended Network::start_accept(async::AcceptOperation& operation) {
  const auto found = listeners_.find(operation.handle());
  CHECK(found != listeners_.end(), "handle {} is not a listener",
        static_cast<int>(operation.handle()));
  Listener& listener = found->second;
  CHECK(listener.acceptor == nullptr, "two accepts on one listener");
  const bool deferred = random_.chance(medium_.options.deferred);
  if (!listener.pending.empty() && !deferred) {
    return static_cast<std::int64_t>(accept_next(listener));
  }
  listener.acceptor = &operation;
  if (deferred) {
    const auto subject = static_cast<std::uint32_t>(operation.handle());
    medium_.timeline.schedule_after(Duration::zero(),
                                    {.kind = EventKind::accept_turn_comes, .subject = subject});
  }
  return std::nullopt;
}

Handle Network::accept_next(Listener& listener) {
  const EndName name = {listener.pending.front(), Side::server};
  listener.pending.pop_front();
  const Handle handle = handles_.next();
  ends_.emplace(handle, name);
  medium_.trace.record(medium_.timeline.now(), TraceKind::accepted, name.subject());
  return handle;
}

void Network::serve(Listener& listener) {
  if (listener.acceptor == nullptr || listener.pending.empty()) return;
  async::AcceptOperation& operation = *std::exchange(listener.acceptor, nullptr);
  medium_.in_flight.finish(operation, static_cast<std::int64_t>(accept_next(listener)));
}

// Events.

void Network::happen(const Event& event) {
  if (event.kind == EventKind::buffer_returns) return feed_the_starving();
  if (event.kind == EventKind::accept_turn_comes) {
    const auto found = listeners_.find(static_cast<Handle>(event.subject));
    if (found != listeners_.end()) serve(found->second);
    return;
  }
  const EndName name = EndName::of(event.subject);
  // Events of a connection without owners are ignored.
  Entry* const entry = find(name.connection);
  if (entry == nullptr) return;
  happen(*entry, name, event);
  if (find(name.connection) != nullptr) forget_if_over(name.connection);
}

void Network::happen(Entry& entry, EndName name, const Event& event) {
  Connection& connection = entry.connection;
  const auto size = static_cast<std::size_t>(event.amount);
  switch (event.kind) {
    case EventKind::syn_arrives: return syn_arrives(entry, name);
    case EventKind::connect_ends: return connect_ends(entry, static_cast<int>(event.amount));
    case EventKind::segment_arrives: return connection.segment_arrives(name.side, size);
    case EventKind::end_arrives: return connection.end_arrives(name.side);
    case EventKind::reset_arrives: return connection.reset_arrives(name.side);
    case EventKind::window_opens: return connection.window_opens(name.side, size);
    case EventKind::turn_comes: return connection.turn_comes(name.side);
    case EventKind::connection_breaks: return connection.breaks();
    case EventKind::connection_silent: return connection.goes_silent();
    default: CHECK(false, "not an event of the network");
  }
}

}  // namespace gossamer::sim

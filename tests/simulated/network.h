#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "async/endpoint.h"
#include "async/operation.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "tests/simulated/connection.h"
#include "tests/simulated/handles.h"
#include "tests/simulated/ledger.h"

namespace gossamer::sim {

// All listeners and connections of a simulated world. Only the endpoint decides who can connect:
// there is one network and no routing. connection.h describes an established connection; this is
// how one is established:
//
// * Connecting takes one delay to the listener and one back. Without a listener it fails with
//   ECONNREFUSED. If the listener's backlog is full there is no answer, and the request is repeated
//   after 1, 2, 4, ... s, as on Linux; after 127 s connecting fails with ETIMEDOUT.
// * The listener's side is connected first: it can be accepted, and even send, before the client
//   knows that it is connected.
// * Cancelling a connect leaves a connection at the listener's side that gets a reset.
// * Closing a listener resets the connections that were not accepted.
class Network {
 public:
  Network(const NetworkOptions& options, base::Random random, Timeline& timeline, Trace& trace,
          InFlight& in_flight, Handles& handles);

  Result<async::Handle> listen(async::Endpoint& endpoint, int backlog);
  // REQUIRES: an operation on sockets.
  Ended start(async::Operation& operation);
  // Withdraws a waiting operation, which then never ends by itself.
  void withdraw(async::Operation& operation);
  void close(async::Handle handle);
  void give_back(std::uint32_t buffer);
  void happen(const Event& event);
  // From now on, connecting to this endpoint gets no answer.
  void black_hole(const async::Endpoint& endpoint) { black_holes_.insert(endpoint); }

  std::uint32_t connections_begun() const { return next_connection_; }
  // Listeners and ends of connections that a program owns.
  std::size_t sockets_open() const { return listeners_.size() + ends_.size(); }
  // REQUIRES: number < connections_begun().
  ConnectionReport report(std::uint32_t number) const;
  Ledger ledger() const;
  std::uint32_t buffers_lent() const { return medium_.blocks.lent(); }

 private:
  struct Listener {
    async::Endpoint endpoint;
    std::size_t backlog;
    std::deque<std::uint32_t> pending;
    async::AcceptOperation* acceptor = nullptr;
  };
  struct Entry {
    Connection connection;
    Instant begun;
    async::ConnectOperation* connector = nullptr;  // while the client waits
    async::Handle client = async::Handle::none;
    int tries = 0;
    bool asking = true;  // the request is on its way
    bool refuses = false;
  };

  Ended start_connect(async::ConnectOperation& operation);
  Ended start_accept(async::AcceptOperation& operation);
  void draw_faults(Entry& entry, std::uint32_t number);
  void syn_arrives(Entry& entry, EndName name);
  void ask_again(Entry& entry, EndName name);
  void answer(Entry& entry, EndName name, int error, Duration delay);
  void give_up_later(Entry& entry, EndName name);
  void connect_ends(Entry& entry, int error);
  void happen(Entry& entry, EndName name, const Event& event);
  void serve(Listener& listener);
  async::Handle accept_next(Listener& listener);
  void feed_the_starving();
  Listener* listener_at(const async::Endpoint& endpoint);
  Entry* find(std::uint32_t number);
  Entry& entry_of(async::Handle handle);
  EndName end_of(async::Handle handle) const;
  void forget_if_over(std::uint32_t number);

  Medium medium_;
  base::Random random_;
  Handles& handles_;
  std::map<async::Handle, Listener> listeners_;
  std::map<async::Endpoint, async::Handle> listening_;
  std::unordered_map<async::Handle, EndName> ends_;  // never iterated over
  std::map<std::uint32_t, std::unique_ptr<Entry>> connections_;
  std::map<std::uint32_t, ConnectionReport> past_;
  std::set<async::Endpoint> black_holes_;
  std::uint32_t next_connection_ = 0;
  std::uint16_t next_port_ = 49152;
  bool feeding_ = false;
};

}  // namespace gossamer::sim

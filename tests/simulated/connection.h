#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "async/endpoint.h"
#include "async/operation.h"
#include "base/random.h"
#include "base/time.h"
#include "tests/simulated/in_flight.h"
#include "tests/simulated/lent_blocks.h"
#include "tests/simulated/network_options.h"
#include "tests/simulated/pipe.h"
#include "tests/simulated/timeline.h"
#include "tests/simulated/trace.h"

namespace gossamer::sim {

enum class Side : std::uint8_t { client = 0, server = 1 };
constexpr Side other(Side side) { return side == Side::client ? Side::server : Side::client; }

// Names one end of a connection in events.
struct EndName {
  std::uint32_t connection;
  Side side;

  static EndName of(std::uint32_t subject) { return {subject / 2, static_cast<Side>(subject % 2)}; }
  std::uint32_t subject() const { return connection * 2 + static_cast<std::uint32_t>(side); }
};

// A fault of a connection.
enum class Fault : std::uint8_t { none, refused, unanswered, broke, went_silent };

// The history of a connection, during its life and afterwards.
struct ConnectionReport {
  async::Endpoint peer;
  std::optional<async::Endpoint> source;  // the address that the client connects from
  Fault fault = Fault::none;              // the first one
  Ledger to_server;
  Ledger to_client;
};

// The state that all connections of one network share.
struct Medium {
  Medium(const NetworkOptions& options, Timeline& timeline, Trace& trace, InFlight& in_flight)
      : options(options),
        timeline(timeline),
        trace(trace),
        in_flight(in_flight),
        blocks(options.lent_buffers_max) {}

  const NetworkOptions options;
  Timeline& timeline;
  Trace& trace;
  InFlight& in_flight;
  LentBlocks blocks;
  std::deque<EndName> starving;  // ends whose receive found no free buffer
};

// The result of an operation: a count or -errno. Nothing: it waits.
using Ended = std::optional<std::int64_t>;

// A simulated TCP connection. The model:
//
// * Bytes keep their order and are never corrupted, separately in each direction.
// * A send delivers bytes while the window has room and ends with the last byte. The window opens
//   again one delay after the receiver has read bytes.
// * shutdown, and close after all received bytes were read, send the end of the stream after the
//   last byte. The other direction continues.
// * close with unread bytes sends a reset, and so does every byte that reaches a closed end.
// * After a reset arrived, receive returns the bytes that arrived before, then always ECONNRESET;
//   send fails immediately.
// * A connection that broke (a fault) loses everything in transit, and both ends get a reset.
// * A connection that went silent (a fault) swallows everything, including resets. A wait without a
//   deadline then never ends, which the loop reports as a deadlock.
class Connection {
 public:
  Connection(Medium& medium, std::uint32_t number, const async::ConnectOperation& operation,
             base::Random random);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Operations of the program that owns an end.
  Ended receive(Side side, async::ReceiveOperation& operation);
  Ended send(Side side, async::SendOperation& operation);
  Ended shutdown(Side side);
  // REQUIRES: the operation waits here.
  void withdraw(Side side, const async::Operation& operation);
  // REQUIRES: no operation waits.
  void close(Side side);
  // Closes an end that no program ever owned.
  void abandon(Side side);

  // Events.
  void segment_arrives(Side sender, std::size_t size);
  void end_arrives(Side sender);
  void reset_arrives(Side side);
  void window_opens(Side sender, std::size_t size);
  void turn_comes(Side side);
  // Gives this end a lent buffer that was returned.
  void feed(Side side);
  void breaks();
  void goes_silent();

  // Called by the network to open the ends.
  void open(Side side) { end(side).open = true; }
  bool is_open(Side side) const { return ends_[index(side)].open; }
  const async::Endpoint& peer() const { return peer_; }
  bool broken() const { return broken_; }
  bool silent() const { return silent_; }
  void meets(Fault fault);
  Duration draw_delay();
  base::Random& random() { return random_; }
  // Schedules the event after everything that `side` has sent so far.
  void schedule_in_order(Side side, Duration delay, const Event& event);
  Event event(EventKind kind, Side side, std::uint64_t amount = 0) const {
    return {kind, EndName{number_, side}.subject(), amount};
  }

  // Called when no program owns an end. Counts bytes in transit as unread, lost or swallowed.
  void settle();
  ConnectionReport report() const;

 private:
  struct End {
    async::ReceiveOperation* receiver = nullptr;
    async::SendOperation* sender = nullptr;
    bool open = false;        // the program owns it, or will
    bool shut = false;        // sends no more
    bool peer_ended = false;  // the peer sends no more
    bool reset = false;       // a reset arrived
    bool sent_reset = false;
    bool starves = false;  // it is in Medium::starving
  };

  static std::size_t index(Side side) { return static_cast<std::size_t>(side); }
  End& end(Side side) { return ends_[index(side)]; }
  Pipe& outgoing(Side side) { return pipes_[index(side)]; }
  Pipe& incoming(Side side) { return pipes_[index(other(side))]; }

  bool deferred(Side side);
  Ended try_receive(Side side, async::ReceiveOperation& operation);
  Ended try_send(Side side, async::SendOperation& operation);
  void progress_receiver(Side side);
  void progress_sender(Side side);
  void transmit(Side side, Bytes bytes);
  void send_reset(Side from);
  void record(TraceKind kind, Side side, std::uint64_t amount = 0);

  Medium& medium_;
  const std::uint32_t number_;
  const async::Endpoint peer_;
  const std::optional<async::Endpoint> source_;
  base::Random random_;
  const Duration delay_;
  std::array<End, 2> ends_;
  std::array<Pipe, 2> pipes_;  // by the sending side
  bool broken_ = false;
  bool silent_ = false;
  Fault fault_ = Fault::none;
};

}  // namespace gossamer::sim

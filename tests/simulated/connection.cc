#include "tests/simulated/connection.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace gossamer::sim {

Connection::Connection(Medium& medium, std::uint32_t number,
                       const async::ConnectOperation& operation, base::Random random)
    : medium_(medium),
      number_(number),
      peer_(operation.peer),
      source_(operation.source),
      random_(random),
      delay_(draw(medium.options.delay, random_)),
      pipes_{Pipe(draw(medium.options.window_bytes, random_)),
             Pipe(draw(medium.options.window_bytes, random_))} {}

void Connection::record(TraceKind kind, Side side, std::uint64_t amount) {
  medium_.trace.record(medium_.timeline.now(), kind, EndName{number_, side}.subject(), amount);
}

void Connection::meets(Fault fault) {
  if (fault_ == Fault::none) fault_ = fault;
}

Duration Connection::draw_delay() {
  return delay_ + draw({Duration::zero(), medium_.options.jitter}, random_);
}

void Connection::schedule_in_order(Side side, Duration delay, const Event& event) {
  const Instant wanted = base::add_saturating(medium_.timeline.now(), delay);
  medium_.timeline.schedule(outgoing(side).arrival(wanted), event);
}

bool Connection::deferred(Side side) {
  if (!random_.chance(medium_.options.deferred)) return false;
  medium_.timeline.schedule_after(Duration::zero(), event(EventKind::turn_comes, side));
  return true;
}

// Receiving.

Ended Connection::receive(Side side, async::ReceiveOperation& operation) {
  CHECK(end(side).receiver == nullptr, "two receives on one socket");
  if (!deferred(side)) {
    if (const Ended ended = try_receive(side, operation)) return ended;
  }
  end(side).receiver = &operation;
  return std::nullopt;
}

Ended Connection::try_receive(Side side, async::ReceiveOperation& operation) {
  Pipe& pipe = incoming(side);
  if (pipe.arrived() == 0) {
    if (end(side).reset) return -ECONNRESET;
    if (end(side).peer_ended) return 0;
    return std::nullopt;
  }
  std::size_t size = std::min(pipe.arrived(), medium_.options.lent_buffer_bytes);
  if (random_.chance(medium_.options.short_receive)) size = draw({1, size}, random_);
  const auto block = medium_.blocks.lend(size);
  if (!block) {
    if (!std::exchange(end(side).starves, true)) medium_.starving.push_back({number_, side});
    record(TraceKind::starved, side);
    return std::nullopt;
  }
  operation.data = medium_.blocks.data(*block);
  operation.buffer = *block;
  pipe.take({medium_.blocks.data(*block), size});
  record(TraceKind::received, side, size);
  medium_.timeline.schedule_after(draw_delay(), event(EventKind::window_opens, other(side), size));
  return static_cast<std::int64_t>(size);
}

void Connection::progress_receiver(Side side) {
  async::ReceiveOperation* const operation = end(side).receiver;
  if (operation == nullptr) return;
  const Ended ended = try_receive(side, *operation);
  if (!ended) return;
  end(side).receiver = nullptr;
  medium_.in_flight.finish(*operation, *ended);
}

// Sending.

Ended Connection::send(Side side, async::SendOperation& operation) {
  CHECK(end(side).sender == nullptr, "two sends on one socket");
  if (!deferred(side)) {
    if (const Ended ended = try_send(side, operation)) return ended;
  }
  end(side).sender = &operation;
  return std::nullopt;
}

Ended Connection::try_send(Side side, async::SendOperation& operation) {
  if (end(side).reset) return -ECONNRESET;
  if (end(side).shut) return -EPIPE;
  const std::size_t size = std::min(operation.left.size(), outgoing(side).room());
  if (size > 0) transmit(side, operation.left.first(size));
  operation.left = operation.left.subspan(size);
  if (!operation.left.empty()) return std::nullopt;
  return 0;
}

void Connection::transmit(Side side, Bytes bytes) {
  outgoing(side).put(bytes);
  record(TraceKind::sent, side, bytes.size());
  for (std::size_t left = bytes.size(); left > 0;) {
    const std::size_t size = std::min(left, draw(medium_.options.segment_bytes, random_));
    schedule_in_order(side, draw_delay(), event(EventKind::segment_arrives, side, size));
    left -= size;
  }
}

void Connection::progress_sender(Side side) {
  async::SendOperation* const operation = end(side).sender;
  if (operation == nullptr) return;
  const Ended ended = try_send(side, *operation);
  if (!ended) return;
  end(side).sender = nullptr;
  medium_.in_flight.finish(*operation, *ended);
}

// Ending.

Ended Connection::shutdown(Side side) {
  if (end(side).reset) return -ENOTCONN;
  if (std::exchange(end(side).shut, true)) return 0;
  record(TraceKind::shut_down, side);
  schedule_in_order(side, draw_delay(), event(EventKind::end_arrives, side));
  return 0;
}

void Connection::withdraw(Side side, const async::Operation& operation) {
  record(TraceKind::cancelled, side);
  if (end(side).receiver == &operation) {
    end(side).receiver = nullptr;
    return;
  }
  CHECK(end(side).sender == &operation, "this operation does not wait here");
  end(side).sender = nullptr;
}

void Connection::close(Side side) {
  End& mine = end(side);
  CHECK(mine.receiver == nullptr && mine.sender == nullptr,
        "a socket is closed with an operation in flight");
  const std::size_t unread = incoming(side).arrived();
  record(TraceKind::closed, side, unread);
  mine.open = false;
  incoming(side).leave();
  if (mine.reset) return;
  if (unread > 0) {
    send_reset(side);
  } else {
    shutdown(side);
  }
}

void Connection::abandon(Side side) {
  record(TraceKind::closed, side, incoming(side).arrived());
  end(side).open = false;
  incoming(side).leave();
  if (!end(side).reset) send_reset(side);
}

void Connection::send_reset(Side from) {
  if (std::exchange(end(from).sent_reset, true)) return;
  schedule_in_order(from, draw_delay(), event(EventKind::reset_arrives, other(from)));
}

void Connection::settle() {
  for (Pipe& pipe : pipes_) {
    const auto place = broken_   ? &Ledger::lost_in_reset
                       : silent_ ? &Ledger::swallowed
                                 : &Ledger::unread;
    pipe.lose(pipe.travelling(), place);
    pipe.leave();
  }
}

// Events.

void Connection::segment_arrives(Side sender, std::size_t size) {
  const Side side = other(sender);
  Pipe& pipe = outgoing(sender);
  if (broken_) {
    record(TraceKind::lost, side, size);
    pipe.lose(size, &Ledger::lost_in_reset);
  } else if (silent_) {
    record(TraceKind::swallowed, side, size);
    pipe.lose(size, &Ledger::swallowed);
  } else if (!end(side).open) {
    record(TraceKind::unread, side, size);
    pipe.lose(size, &Ledger::unread);
    send_reset(side);
  } else {
    record(TraceKind::arrived, side, size);
    pipe.arrive(size);
    progress_receiver(side);
  }
}

void Connection::end_arrives(Side sender) {
  if (broken_ || silent_) return;
  record(TraceKind::end_arrived, other(sender));
  end(other(sender)).peer_ended = true;
  progress_receiver(other(sender));
}

void Connection::reset_arrives(Side side) {
  if (silent_ && !broken_) return;
  record(TraceKind::reset_arrived, side);
  end(side).reset = true;
  progress_receiver(side);
  progress_sender(side);
}

void Connection::window_opens(Side sender, std::size_t size) {
  if (broken_ || silent_) return;
  outgoing(sender).acknowledge(size);
  progress_sender(sender);
}

void Connection::turn_comes(Side side) {
  progress_receiver(side);
  progress_sender(side);
}

void Connection::feed(Side side) {
  end(side).starves = false;
  progress_receiver(side);
}

void Connection::breaks() {
  if (broken_ || silent_) return;
  broken_ = true;
  meets(Fault::broke);
  record(TraceKind::broke, Side::client);
  for (const Side side : {Side::client, Side::server}) {
    medium_.timeline.schedule_after(draw_delay(), event(EventKind::reset_arrives, side));
  }
}

void Connection::goes_silent() {
  if (broken_ || silent_) return;
  silent_ = true;
  meets(Fault::went_silent);
  record(TraceKind::went_silent, Side::client);
}

ConnectionReport Connection::report() const {
  return {.peer = peer_,
          .source = source_,
          .fault = fault_,
          .to_server = pipes_[index(Side::client)].ledger(),
          .to_client = pipes_[index(Side::server)].ledger()};
}

}  // namespace gossamer::sim

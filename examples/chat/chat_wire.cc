#include "examples/chat/chat_wire.h"

#include <algorithm>
#include <string>

#include "async/loop.h"
#include "async/timeout.h"

namespace gossamer::sim {

using async::Lent;
using async::Task;

Task<Result<void>> ChatWire::send(Bytes bytes) { co_return co_await socket_.send(bytes); }

Task<Result<Lent>> ChatWire::receive() { co_return co_await socket_.receive(); }

Task<Result<Lent>> ChatWire::receive_in_glances() {
  const async::Loop& loop = async::Loop::current();
  const Instant deadline = base::add_saturating(loop.now(), patience_.receive);
  for (;;) {
    const Instant glance_ends = base::add_saturating(loop.now(), patience_.glance);
    auto lent = co_await async::with_deadline(std::min(glance_ends, deadline), receive());
    const bool goes_on = !lent && lent.error() == Errc::timed_out && loop.now() < deadline;
    if (!goes_on) co_return lent;
  }
}

Task<Result<void>> ChatWire::finish() { co_return co_await socket_.shutdown(); }

Task<Result<void>> ChatWire::say(ChatFrame frame) {
  const std::string bytes = encode(frame);
  traffic_.bytes_offered += bytes.size();
  auto sent = co_await async::with_timeout(patience_.send, send(as_bytes(bytes)));
  if (sent) traffic_.bytes_sent += bytes.size();
  co_return sent;
}

Task<Result<ChatFrame>> ChatWire::hear() {
  for (;;) {
    auto frame = reader_.next();
    if (!frame) co_return fail(std::move(frame).error());
    if (*frame) co_return std::move(**frame);
    auto lent = co_await receive_in_glances();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(reader_.at_boundary() ? Errc::closed : Errc::peer_closed);
    traffic_.bytes_received += lent->size();
    reader_.feed(lent->bytes());
  }
}

}  // namespace gossamer::sim

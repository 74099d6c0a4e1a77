#include "http/http2_connection.h"

#include <algorithm>
#include <string>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "async/until.h"
#include "base/check.h"
#include "http/interruptible_receive.h"

namespace gossamer::http {
namespace {

// Bytes of one send.
constexpr std::size_t kWriteBytesMax = 64 * 1024;

}  // namespace

ExchangeOwner Http2Connection::begin() {
  CHECK(room() > 0);
  ++exchanges_;
  return ExchangeOwner(new Http2Exchange(*this, !std::exchange(is_used_, true)));
}

void Http2Connection::leave(Http2Exchange& exchange) noexcept {
  delete &exchange;
  --exchanges_;
  pass_on();
}

void Http2Connection::pass_on() noexcept {
  if (failure_) return;  // all exchanges know it
  const bool must_send = !is_flushing_ && session_.has_output();
  if (is_read_ && !must_send) return;
  if (!waiting_.empty()) {
    wake(waiting_.front());
  } else if (receiving_ != nullptr) {
    receiving_->cancel();
  }
}

void Http2Connection::wake(Http2Exchange& exchange) noexcept {
  if (std::exchange(exchange.is_in_line, false)) waiting_.remove(exchange);
  exchange.news.set();
  if (&exchange == reader_ && receiving_ != nullptr) receiving_->cancel();
}

async::Task<Result<net::Chunk>> Http2Connection::wait(Http2Exchange& exchange) {
  for (;;) {
    if (session_.has_output() && !failure_) co_await flush(exchange);
    // A failed exchange has no more news, but its reader may have been busy with its last bytes.
    if (exchange.news.is_set() || exchange.has_ended() || failure_) break;
    if (!is_read_) {
      auto read = co_await read_for_all(exchange);
      if (!read) co_return fail(std::move(read).error());
      continue;
    }
    waiting_.push_back(exchange);
    exchange.is_in_line = true;
    auto woken = co_await exchange.news.wait();
    if (std::exchange(exchange.is_in_line, false)) waiting_.remove(exchange);
    // If it was woken as well, it may be the one that must read: a later wait notices the end.
    if (!woken && !exchange.news.is_set()) co_return fail(std::move(woken).error());
  }
  exchange.news.clear();
  co_return net::Chunk();
}

async::Task<Result<void>> Http2Connection::read_for_all(Http2Exchange& exchange) {
  is_read_ = true;
  reader_ = &exchange;
  bool is_over = false;
  while (!is_over) {
    auto received = co_await InterruptibleReceive(receive_some(), receiving_);
    if (!received && received.error() == Errc::cancelled) break;
    feed(std::move(received));
    if (failure_ && session_.has_output()) co_await async::shielded(say_goodbye());
    const bool must_send = !is_flushing_ && session_.has_output();
    is_over = exchange.news.is_set() || failure_ || must_send;
  }
  reader_ = nullptr;
  is_read_ = false;
  const bool is_cancelled = async::cancel_requested() && !is_over;
  if (is_cancelled || exchange.news.is_set()) pass_on();
  if (is_cancelled) co_return fail(Errc::cancelled);
  co_return {};
}

void Http2Connection::feed(Result<net::Chunk> received) {
  if (!received || received->end()) {
    return fail_all(closed_error(std::move(received)));
  }
  last_heard_ = event_time_ = async::Loop::current().now();
  auto taken = session_.receive(received->bytes());
  if (!taken) fail_all(std::move(taken).error());
  note_end();
}

Error Http2Connection::closed_error(Result<net::Chunk> received) const {
  if (auto refusal = session_.refusal()) return std::move(*refusal);
  if (!received) return std::move(received).error();
  const std::string closed = "the server closed the connection";
  const auto code = session_.goaway_code();
  const bool is_told = code && *code != 0;
  return {Errc::peer_closed,
          is_told ? closed + ": " + std::string(wire::http2_code_name(*code)) : closed};
}

void Http2Connection::fail_all(Error error) {
  if (failure_) return;
  failure_ = std::move(error);
  event_time_ = async::Loop::current().now();
  session_.fail(*failure_);
}

void Http2Connection::note_end() {
  if (failure_ || session_.wants_input() || session_.streams() == 0) return;
  fail_all(Error(Errc::malformed, "HTTP/2: protocol error"));
}

async::Task<void> Http2Connection::flush(Http2Exchange& exchange) {
  if (is_flushing_) co_return;
  is_flushing_ = true;
  pass_on();  // reading does not wait for it
  // Requests of the same turn of the loop share a write.
  if (exchanges_ > 1) static_cast<void>(co_await async::yield_now());
  bool has_more = true;
  do {
    // An interrupted write would be the end of the connection for all.
    has_more = co_await async::with_grace(net::Stream::kFinishMax, send_some(exchange.deadline()));
  } while (has_more && !exchange.news.is_set() && !async::cancel_requested());
  is_flushing_ = false;
  note_end();
  if (has_more) pass_on();
}

async::Task<bool> Http2Connection::send_some(Instant deadline) {
  if (failure_) co_return false;
  std::string out;
  const Instant now = event_time_ = async::Loop::current().now();
  auto taken = session_.take_output(out, kWriteBytesMax);
  if (!taken) fail_all(std::move(taken).error());
  if (failure_ || out.empty()) co_return false;
  const Instant latest = std::max(deadline, base::add_saturating(now, net::Stream::kFinishMax));
  const Instant due = std::min(base::add_saturating(now, options_.deadlines.idle), latest);
  auto sent = co_await async::until(due, [&] { return stream_.send(as_bytes(out)); });
  if (!sent && sent.error() == Errc::timed_out) {
    sent = fail(Errc::timed_out, "the server read nothing for " + base::to_string(due - now));
  } else if (!sent && sent.error() == Errc::cancelled) {
    sent = fail(Errc::not_connected, "the connection was left while the server read nothing");
  }
  if (!sent) fail_all(std::move(sent).error());
  co_return !failure_ && session_.has_output();
}

async::Task<void> Http2Connection::say_goodbye() {
  if (is_flushing_) co_return;
  is_flushing_ = true;
  std::string out;
  const Instant deadline =
      base::add_saturating(async::Loop::current().now(), net::Stream::kFinishMax);
  if (session_.take_output(out, kWriteBytesMax) && !out.empty()) {
    static_cast<void>(co_await async::until(deadline, [&] { return stream_.send(as_bytes(out)); }));
  }
  is_flushing_ = false;
}

// A server may speak to an idle connection: that is taken in.
async::Task<bool> Http2Connection::is_quiet() {
  if (is_read_) co_return is_reusable();
  is_read_ = true;
  while (is_reusable()) {
    const Instant now = async::Loop::current().now();
    auto heard = co_await async::until(now, [&] { return stream_.receive(); });
    if (!heard && (heard.error() == Errc::timed_out || heard.error() == Errc::cancelled)) break;
    feed(std::move(heard));
  }
  is_read_ = false;
  pass_on();
  co_return is_reusable();
}

}  // namespace gossamer::http

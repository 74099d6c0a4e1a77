#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "async/intrusive_list.h"
#include "async/task.h"
#include "async/until.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "http/deadlines.h"
#include "http/facts.h"
#include "net/chunk.h"
#include "net/stream.h"
#include "wire/framing.h"
#include "wire/response_head.h"
#include "wire/response_parser.h"

namespace gossamer::http {

// What a connection carries of a request. BORROWS: the bytes, until they are sent.
struct OutgoingRequest {
  Bytes bytes;  // head and body
  wire::RequestKind kind = wire::RequestKind::ordinary;
  Instant deadline;  // of the whole exchange
};

// One request and its answer, on whatever connection carries it, which owns it. A waiting exchange
// has no frame of its own: whoever wants more of the answer waits in his (see Arrival).
class Exchange {
 public:
  // Ends it, however far it came; whatever is left of the answer is not read. The last call.
  virtual void end() noexcept = 0;

  // Sends the request. Once.
  virtual async::Task<Result<void>> send(OutgoingRequest request) = 0;

  // The wait for more of the answer, which begins now.
  virtual net::Stream::Receive receive() = 0;
  // Until when to wait, if it does not come at once.
  virtual Instant patience() const = 0;
  // Takes in what it gave. Fails with Errc::peer_closed or Errc::reset when the answer is not all
  // there, with Errc::timed_out when it is too slow, and as wire::ResponseParser does.
  virtual Result<void> take(Result<net::Chunk> received) = 0;

  virtual bool has_head() const = 0;
  // REQUIRES: has_head().
  virtual const wire::ResponseHead& head() const = 0;
  // The next piece of the body from what was taken in; empty at its end; nothing: more has to be
  // received. REQUIRES: has_head().
  // BORROWS: the bytes, until the next call; they are lent by the loop.
  virtual Result<std::optional<Bytes>> next_piece() = 0;

  // Gives lent bytes back that next_piece() has not handed out yet, at the cost of copying them.
  virtual void hold() = 0;

  // The answer has ended as its framing says.
  virtual bool is_complete() const = 0;
  // A byte of the answer has come. If not, the request may not have been seen.
  virtual bool has_begun() const = 0;

  virtual Instant first_byte_at() const = 0;  // REQUIRES: has_begun()
  virtual std::uint64_t bytes_sent() const = 0;
  virtual std::uint64_t bytes_received() const = 0;

 protected:
  ~Exchange() = default;
};

struct EndExchange {
  void operator()(Exchange* exchange) const noexcept { exchange->end(); }
};
using ExchangeOwner = std::unique_ptr<Exchange, EndExchange>;

// co_await Arrival(exchange): waits for more of the answer and takes it in. Gives a Result<void>,
// which fails as Exchange::take() does.
class [[nodiscard]] Arrival {
 public:
  // BORROWS: the exchange.
  explicit Arrival(Exchange& exchange) : wait_(From{exchange}) {}

  void prepare(async::Frame& frame) noexcept { wait_.prepare(frame); }
  bool await_ready() { return wait_.await_ready(); }
  auto await_suspend(std::coroutine_handle<> handle) { return wait_.await_suspend(handle); }
  // Not inlined: what was received would have a place in the frame that waits.
  [[gnu::noinline]] Result<void> await_resume() {
    return wait_.from().exchange.take(wait_.await_resume());
  }

 private:
  struct From {
    Exchange& exchange;
    net::Stream::Receive make() const { return exchange.receive(); }
    Instant deadline() const { return exchange.patience(); }
  };
  async::Until<From> wait_;
};

// A connection's place in the pool's list of those that its origin may use.
struct Availability : public async::ListNode<Availability> {};

struct PooledOrigin;

// A connection to a server that carries exchanges: one after the other (HTTP/1.1), or many at
// once, which the pool reads from room(). Stands in the pool's list of idle ones while nobody has
// a lease of it.
class Connection : public async::ListNode<Connection>, public Availability {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // Exchanges that may begin now. 0 for good: it cannot be used again.
  virtual std::size_t room() const = 0;
  // Begins an exchange. It must end before the connection does. REQUIRES: room() > 0.
  virtual ExchangeOwner begin() = 0;
  // Whether it may be kept for later once its exchanges have ended.
  virtual bool is_reusable() const = 0;
  // Whether the peer has said nothing while nobody asked: neither that it closes, nor anything that
  // would be taken for the answer to the next request. Does not wait.
  virtual async::Task<bool> is_quiet() = 0;

  virtual ConnectionFacts facts() const = 0;
  // Nothing when it is not TLS.
  virtual std::optional<net::TlsFacts> tls_facts() const = 0;

 private:
  // What the pool that owns it keeps of it; here, because every block of memory costs some itself.
  friend class Pool;
  PooledOrigin* origin_ = nullptr;
  Instant idle_since_ = {};
  std::uint16_t leases_ = 0;
  bool is_idle_ : 1 = false;
  bool is_available_ : 1 = false;
  bool is_reused_ : 1 = false;   // it had served an exchange before it was leased last
  bool has_rested_ : 1 = false;  // before that, for Pool::kRest
};

}  // namespace gossamer::http

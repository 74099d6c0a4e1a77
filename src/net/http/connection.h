#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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
#include "wire/http2_session.h"
#include "wire/request_writer.h"
#include "wire/response_head.h"

namespace gossamer::http {

struct ConnectionOptions {
  Deadlines deadlines;
  wire::Http2Limits limits;
};

// The data of a request to be sent; each connection writes it in its own form. BORROWS: all, until
// it is sent.
struct OutgoingRequest {
  wire::Request head;
  Bytes body;
  Instant deadline;  // of the whole exchange
  // Room for its text. Afterwards it begins with the head in the syntax of HTTP/1.1.
  std::string& text;
};

// Whether a request without a response can be sent again on another connection.
enum class Repeat : std::uint8_t {
  if_harmless,             // the server may have processed it
  always,                  // the server did not process it
  over_http1,              // the server wants it over HTTP/1.1
  over_http1_if_harmless,  // the head of its response is valid only over HTTP/1.1, if at all
};

// One request and its response, on a connection, which owns it. A waiting exchange has no frame of
// its own: the reader of the response waits in its own frame (see Arrival).
class Exchange {
 public:
  // Ends it at any point; the rest of the response is not read. The last call.
  virtual void end() noexcept = 0;

  // Sends the request. Once.
  virtual async::Task<Result<void>> send(OutgoingRequest request) = 0;

  // Starts the wait for more of the response. It may end without anything new: wait again.
  virtual net::Stream::Receive receive() = 0;
  // Returns until when to wait, if nothing arrives immediately.
  virtual Instant patience() const = 0;
  // Processes the result of receive(). Fails with Errc::peer_closed or Errc::reset if the response
  // is incomplete, with Errc::timed_out if it is too slow, and as wire::ResponseParser does.
  virtual Result<void> take(Result<net::Chunk> received) = 0;

  virtual bool has_head() const = 0;
  // REQUIRES: has_head().
  virtual const wire::ResponseHead& head() const = 0;
  // Returns the next piece of the body from the received bytes; empty at its end; nothing if more
  // must be received. REQUIRES: has_head().
  // BORROWS: the bytes, until the next call; the loop lends them.
  virtual Result<std::optional<Bytes>> next_piece() = 0;

  // Returns lent bytes that next_piece() has not returned yet to the loop, after copying them.
  virtual void hold() = 0;
  // The server had to wait for us: the whole exchange may take longer by this time.
  virtual void extend(Duration by) noexcept = 0;

  // Returns whether the response has ended as its framing says.
  virtual bool is_complete() const = 0;
  // Returns whether a byte of the response has arrived. If not, the server might not have seen the
  // request.
  virtual bool has_begun() const = 0;
  // Returns whether it is the first one on its connection, for which the connection was made.
  virtual bool is_first() const = 0;
  // Returns how a request whose exchange has failed can be repeated.
  virtual Repeat repeat() const = 0;
  // "HTTP/1.1", "HTTP/1.0" or "HTTP/2". REQUIRES: has_head().
  virtual std::string_view protocol() const = 0;

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

// co_await Arrival(exchange): waits for more of the response and processes it. Gives a
// Result<void>, which fails as Exchange::take() does.
class [[nodiscard]] Arrival {
 public:
  // BORROWS: the exchange.
  explicit Arrival(Exchange& exchange) : wait_(From{exchange}) {}

  void prepare(async::Frame& frame) noexcept { wait_.prepare(frame); }
  bool await_ready() { return wait_.await_ready(); }
  auto await_suspend(std::coroutine_handle<> handle) { return wait_.await_suspend(handle); }
  // Not inlined, because the frame that waits would contain the received chunk.
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

// A connection's entry in the pool's list of available ones of its origin.
struct Availability : public async::ListNode<Availability> {};

struct PooledOrigin;

// A connection to a server that carries exchanges: one after the other (HTTP/1.1), or many
// concurrently, which room() tells the pool. It is in the pool's list of idle connections while it
// is not leased.
class Connection : public async::ListNode<Connection>, public Availability {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  // Returns how many exchanges can begin now. If is_reusable() is false, 0 is permanent.
  virtual std::size_t room() const = 0;
  // Returns whether it can carry concurrent exchanges.
  virtual bool is_shared() const = 0;
  // Begins an exchange, which must end before the connection does. REQUIRES: room() > 0.
  virtual ExchangeOwner begin() = 0;
  // Returns whether it can be kept for later once its exchanges have ended.
  virtual bool is_reusable() const = 0;
  // Returns whether the peer has sent nothing that forbids another exchange while the connection
  // was idle: neither a close, nor bytes that would be read as the response to the next request.
  // Does not wait.
  virtual async::Task<bool> is_quiet() = 0;

  virtual ConnectionFacts facts() const = 0;
  // Returns nothing if it is not TLS.
  virtual std::optional<net::TlsFacts> tls_facts() const = 0;

 private:
  // Data of the pool that owns it. It is here, because each separate memory block has a cost.
  friend class Pool;
  PooledOrigin* origin_ = nullptr;
  Instant idle_since_ = {};
  std::uint16_t leases_ = 0;
  bool is_idle_ : 1 = false;
  bool is_available_ : 1 = false;
  bool has_rested_ : 1 = false;  // it was idle for Pool::kRest before the current lease
};

}  // namespace gossamer::http

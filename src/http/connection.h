#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "http/deadlines.h"
#include "http/facts.h"
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

// One request and its answer, on whatever connection carries it.
class Exchange {
 public:
  virtual ~Exchange() = default;

  // Sends the request. Once.
  virtual async::Task<Result<void>> send(OutgoingRequest request) = 0;
  // Waits for the head of the answer. Once.
  virtual async::Task<Result<void>> receive_head() = 0;
  // REQUIRES: receive_head() succeeded.
  virtual const wire::ResponseHead& head() const = 0;

  // The next piece of the body; empty at its end. Fails with Errc::peer_closed or Errc::reset when
  // the body is not all there, with Errc::timed_out when it is too slow.
  // BORROWS: the bytes, until the next call; they are lent by the loop.
  virtual async::Task<Result<Bytes>> next() = 0;

  // Gives lent bytes back that next() has not handed out yet, at the cost of copying them.
  virtual void hold() = 0;

  // The answer has ended as its framing says.
  virtual bool is_complete() const = 0;
  // Not a byte of the answer has come: the request may not have been seen.
  virtual bool has_begun() const = 0;

  virtual Instant first_byte_at() const = 0;
  virtual std::uint64_t bytes_sent() const = 0;
  virtual std::uint64_t bytes_received() const = 0;
};

// A connection to a server that carries exchanges: one after the other (HTTP/1.1), or many at
// once, which the pool reads from room().
class Connection {
 public:
  virtual ~Connection() = default;

  // Exchanges that may begin now. 0 for good: it cannot be used again.
  virtual std::size_t room() const = 0;
  // Begins an exchange. It must end before the connection does. REQUIRES: room() > 0.
  virtual std::unique_ptr<Exchange> begin() = 0;
  // Whether it may be kept for later once its exchanges have ended.
  virtual bool is_reusable() const = 0;
  // Whether the peer has said nothing while nobody asked: neither that it closes, nor anything that
  // would be taken for the answer to the next request. Does not wait.
  virtual async::Task<bool> is_quiet() = 0;

  virtual const ConnectionFacts& facts() const = 0;
  // Nothing when it is not TLS.
  virtual std::optional<net::TlsFacts> tls_facts() const = 0;
};

}  // namespace gossamer::http

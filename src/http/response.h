#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "http/connection.h"
#include "http/facts.h"
#include "http/pool.h"
#include "wire/response_head.h"

namespace gossamer::http {

// An answer: its head is here, its body is read piece by piece. It holds its connection, which goes
// back to the pool when the body was read to its end, and is closed otherwise.
//
// A piece of the body may have come with the head, in a buffer that is lent: call next(), hold() or
// the destructor before you wait for anything else.
class [[nodiscard]] Response {
 public:
  Response(Response&&) noexcept = default;
  Response& operator=(Response&&) = delete;

  const wire::ResponseHead& head() const { return head_; }
  int status() const { return head_.status(); }

  // The next piece of the body as it is on the wire (chunked framing undone, content codings not);
  // empty at its end. The body is whole only when that came: Errc::peer_closed, Errc::reset and
  // Errc::timed_out say that it was cut, Errc::over_limit that it is larger than
  // ClientOptions::body_bytes_max, of which all have been given.
  // BORROWS: the response; the bytes are lent until the next call.
  async::Task<Result<Bytes>> next();
  // Makes sure that no lent buffer is held, at the cost of copying what next() has not given yet.
  void hold() { exchange_->hold(); }

  // The body has been read to its end.
  bool is_complete() const { return !is_over_limit_ && exchange_->is_complete(); }
  std::uint64_t body_bytes() const { return body_bytes_; }

  ExchangeFacts facts() const;
  std::optional<net::TlsFacts> tls_facts() const { return lease_.connection().tls_facts(); }
  // As it was sent, if ClientOptions::keep_request says so.
  const std::string& request_head() const { return request_head_; }

 private:
  friend class Client;
  Response(Pool::Lease lease, std::unique_ptr<Exchange> exchange, wire::ResponseHead head,
           Instant started, std::uint64_t body_bytes_max) noexcept
      : lease_(std::move(lease)),
        exchange_(std::move(exchange)),
        head_(std::move(head)),
        started_(started),
        body_bytes_max_(body_bytes_max) {}

  Pool::Lease lease_;
  std::unique_ptr<Exchange> exchange_;  // dies before the lease
  wire::ResponseHead head_;
  std::string request_head_;
  Instant started_;
  std::optional<Instant> ended_;
  std::uint64_t body_bytes_ = 0;
  std::uint64_t body_bytes_max_;
  bool is_over_limit_ = false;
};

}  // namespace gossamer::http

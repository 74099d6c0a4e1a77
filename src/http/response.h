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

  const wire::ResponseHead& head() const { return state_->exchange->head(); }
  int status() const { return head().status(); }

  // The next piece of the body as it is on the wire (chunked framing undone, content codings not);
  // empty at its end. The body is whole only when that came: Errc::peer_closed, Errc::reset and
  // Errc::timed_out say that it was cut, Errc::over_limit that it is larger than
  // ClientOptions::body_bytes_max, of which all have been given.
  // BORROWS: the response; the bytes are lent until the next call.
  async::Task<Result<Bytes>> next();
  // Makes sure that no lent buffer is held, at the cost of copying what next() has not given yet.
  void hold() { state_->exchange->hold(); }

  // The body has been read to its end.
  bool is_complete() const { return !state_->is_over_limit && state_->exchange->is_complete(); }
  std::uint64_t body_bytes() const { return state_->body_bytes; }

  ExchangeFacts facts() const;
  std::optional<net::TlsFacts> tls_facts() const { return state_->lease->connection().tls_facts(); }
  // As it was sent, if ClientOptions::keep_request says so.
  const std::string& request_head() const { return state_->request_head; }

 private:
  friend class Client;

  // One pointer in every frame that an answer passes through.
  struct State {
    std::optional<Pool::Lease> lease;    // nothing only while one is looked for
    std::unique_ptr<Exchange> exchange;  // dies before the lease
    std::string request_head;
    Instant started;
    std::optional<Instant> ended;
    std::uint64_t body_bytes = 0;
    bool is_over_limit = false;
    std::uint64_t body_bytes_max = 0;
  };
  explicit Response(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

  std::unique_ptr<State> state_;
};

}  // namespace gossamer::http

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "async/frame_pool.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "http/connection.h"
#include "http/facts.h"
#include "http/pool.h"
#include "wire/response_head.h"

namespace gossamer::http {

// A response: its head has arrived, its body is read piece by piece. It holds its connection, which
// returns to the pool when the body was read to its end, and is closed otherwise.
//
// A piece of the body may have arrived with the head, in a lent buffer: call next(), hold() or the
// destructor before you wait for anything else.
class [[nodiscard]] Response {
 public:
  Response(Response&&) noexcept = default;
  Response& operator=(Response&&) = delete;

  const wire::ResponseHead& head() const { return state_->pending.exchange->head(); }
  int status() const { return head().status(); }

  // Returns the next piece of the body as transferred (without chunked framing, with content
  // codings); empty at its end. The body is complete only then: Errc::peer_closed, Errc::reset and
  // Errc::timed_out mean that it was truncated, Errc::over_limit that it is larger than
  // ClientOptions::body_bytes_max, of which all bytes have been returned.
  // BORROWS: the response; the bytes are lent until the next call.
  async::Task<Result<Bytes>> next();
  // Makes sure that no lent buffer is held, by copying the bytes that next() has not returned yet.
  // Until the next call of next() the server waits for us. That time is not part of facts().total,
  // and no time limit counts it.
  void hold();

  // Returns whether the body has been read to its end.
  bool is_complete() const {
    return !state_->is_over_limit && state_->pending.exchange->is_complete();
  }
  std::uint64_t body_bytes() const { return state_->body_bytes; }

  ExchangeFacts facts() const;
  std::optional<net::TlsFacts> tls_facts() const {
    return state_->pending.lease.connection().tls_facts();
  }
  // How long the server had to wait for us so far.
  Duration held() const;
  // As sent, if ClientOptions::keep_request is set.
  const std::string& request_head() const { return state_->request_head; }

 private:
  friend class Client;

  // A request that waits for its response, in the frame of the waiter.
  struct PendingRequest {
    Instant started;
    Pool::Lease lease;                          // empty only while a connection is sought
    ExchangeOwner exchange;                     // ends before the lease
    std::unique_ptr<std::string> request_head;  // if it is kept
  };

  // One pointer in every frame that a response passes through. It uses the blocks of coroutine
  // frames, because it is made and destroyed with every response.
  struct State {
    static void* operator new(std::size_t bytes) { return async::FramePool::allocate(bytes); }
    static void operator delete(void* memory, std::size_t bytes) noexcept {
      async::FramePool::release(memory, bytes);
    }

    PendingRequest pending;
    std::string request_head;
    std::uint64_t body_bytes_max = 0;
    std::uint64_t body_bytes = 0;
    std::optional<Instant> ended;
    std::optional<Instant> held_since;  // between hold() and next()
    Duration held = Duration::zero();   // without what began at `held_since`
    bool is_over_limit = false;
  };
  explicit Response(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

  // Returns a piece of the body, or its end, from the received bytes; nothing if more must be
  // received.
  [[gnu::noinline]] Result<std::optional<Bytes>> next_piece();
  // Ends what hold() began.
  void resume();
  // Called at the end of the body.
  void note_end();

  std::unique_ptr<State> state_;
};

}  // namespace gossamer::http

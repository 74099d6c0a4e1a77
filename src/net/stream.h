#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "async/socket.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "net/chunk.h"
#include "net/tls_context.h"

namespace gossamer::net {

class TlsChannel;

// A wait that is an operation of the driver's on a plain stream, without a frame of its own, and a
// task on a TLS one, which may need several operations.
template <class Plain, class Value>
class [[nodiscard]] PlainOrTask {
 public:
  PlainOrTask(const PlainOrTask&) = delete;
  PlainOrTask& operator=(const PlainOrTask&) = delete;
  ~PlainOrTask() {
    if (is_plain_) {
      plain_.~Plain();
    } else {
      task_.~Job();
    }
  }

  void prepare(async::Frame& frame) noexcept {
    if (is_plain_) [[likely]] {
      plain_.prepare(frame);
    } else {
      task_.awaiter.emplace(frame.await_transform(std::move(task_.task), frame.awaiting_at));
    }
  }
  bool await_ready() { return is_plain_ && plain_.await_ready(); }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> handle) noexcept {
    if (!is_plain_) return task_.awaiter->await_suspend(handle);
    plain_.await_suspend(handle);
    return std::noop_coroutine();
  }
  Result<Value> await_resume() {
    if (!is_plain_) return task_.awaiter->await_resume();
    auto done = plain_.await_resume();
    if (!done) [[unlikely]]
      return fail(std::move(done).error());
    if constexpr (std::is_void_v<Value>) {
      return {};
    } else {
      return Value(std::move(*done));
    }
  }

 private:
  friend class Stream;

  struct Job {
    async::Task<Result<Value>> task;
    std::optional<async::TaskAwaiter<Result<Value>>> awaiter;
  };

  // Calls what makes the operation, in whose place it stays: operations do not move.
  template <class MakePlain>
    requires requires(MakePlain& make) { make().await_ready(); }
  explicit PlainOrTask(MakePlain make) : plain_(make()), is_plain_(true) {}
  explicit PlainOrTask(async::Task<Result<Value>> task)
      : task_{.task = std::move(task), .awaiter = {}}, is_plain_(false) {}

  union {
    Plain plain_;
    Job task_;
  };
  bool is_plain_;
};

// A connected byte stream, plain or TLS alike. Closed by its destructor, without a goodbye.
//
// One receive and one send at a time, from different tasks if you like; none may be in flight when
// it is closed, moved or dies. Three words; what TLS needs besides stands on the heap.
class [[nodiscard]] Stream {
 public:
  // co_await gives a Result<Chunk>.
  using Receive = PlainOrTask<async::Socket::Receive, Chunk>;
  // co_await gives a Result<void>.
  using Send = PlainOrTask<async::Socket::Send, void>;

  Stream() noexcept;
  // A plain one.
  explicit Stream(async::Socket socket) noexcept;
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream();

  // Some bytes, or the end. Over TLS the end is the peer's close_notify; a connection that ends
  // without it is Errc::peer_closed ("truncated"), a broken record Errc::tls_failed.
  // A cancelled receive loses no byte. BORROWS: the stream.
  Receive receive() {
    if (tls_ == nullptr) [[likely]]
      return Receive([this] { return socket_.receive(); });
    return Receive(receive_tls());
  }

  // Succeeds when the kernel has taken all of them. After a cancelled or failed send the stream is
  // good for nothing but closing. BORROWS: the stream, and the bytes until it is over.
  Send send(Bytes bytes) {
    if (tls_ == nullptr) [[likely]]
      return Send([this, bytes] { return socket_.send(bytes); });
    return Send(send_tls(bytes));
  }

  // Says that we send no more: close_notify (over TLS) and FIN; receiving goes on. Ends within
  // kFinishMax even if the peer takes nothing. BORROWS: the stream.
  async::Task<Result<void>> finish();
  static constexpr Duration kFinishMax = 1s;

  // Frees all. Idempotent. Does not wait.
  void close() noexcept;
  explicit operator bool() const { return static_cast<bool>(socket_); }

  bool is_tls() const { return tls_ != nullptr; }
  // What the handshake agreed on. REQUIRES: is_tls().
  TlsFacts tls_facts() const;

 private:
  friend async::Task<Result<Stream>> tls_client_handshake(async::Socket socket,
                                                          std::shared_ptr<TlsContext> context,
                                                          TlsPeer peer);

  async::Task<Result<Chunk>> receive_tls();         // BORROWS: the stream
  async::Task<Result<void>> send_tls(Bytes bytes);  // BORROWS: the stream and the bytes
  async::Task<Result<void>> handshake();            // BORROWS: the stream
  async::Task<Result<void>> flush();                // BORROWS: the stream
  async::Task<Result<void>> drain();                // BORROWS: the stream
  async::Task<Result<void>> say_goodbye();          // BORROWS: the stream

  async::Socket socket_;
  std::unique_ptr<TlsChannel> tls_;
};

static_assert(sizeof(Stream) <= 24);

// Makes a connection a TLS one, as its client. The caller sets the deadline (with_timeout).
// Fails with Errc::tls_failed, whose reason tls_failure() tells and whose detail says it in words;
// Errc::peer_closed when the connection ended in the middle; Errc::over_limit when the peer sends
// more than any handshake needs; Errc::invalid_argument when the peer's name cannot be one.
async::Task<Result<Stream>> tls_client_handshake(async::Socket socket,
                                                 std::shared_ptr<TlsContext> context, TlsPeer peer);

}  // namespace gossamer::net

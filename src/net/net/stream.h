#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <string_view>
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

// A wait that is a single driver operation on a plain stream, without its own frame, and a task on
// a TLS stream, which may need several operations.
template <class Plain, class Value>
class [[nodiscard]] PlainOrTask {
 public:
  explicit PlainOrTask(async::Task<Result<Value>> task)
      : task_{.task = std::move(task), .awaiter = {}}, is_plain_(false) {}
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

  // Makes the operation in place, because operations cannot move.
  template <class MakePlain>
    requires requires(MakePlain& make) { make().await_ready(); }
  explicit PlainOrTask(MakePlain make) : plain_(make()), is_plain_(true) {}

  union {
    Plain plain_;
    Job task_;
  };
  bool is_plain_;
};

// A connected byte stream, plain or TLS. Its destructor closes it without a TLS close_notify.
//
// One receive and one send at a time, also from different tasks; none may be in flight when it is
// closed, moved or destroyed. It has three words; the TLS state is on the heap.
class [[nodiscard]] Stream {
 public:
  // co_await gives a Result<Chunk>.
  using Receive = PlainOrTask<async::Socket::Receive, Chunk>;
  // co_await gives a Result<void>.
  using Send = PlainOrTask<async::Socket::Send, void>;

  Stream() noexcept;
  // A plain stream.
  explicit Stream(async::Socket socket) noexcept;
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream();

  // Returns some bytes, or the end. Over TLS the end is the peer's close_notify; a connection that
  // ends without it is Errc::peer_closed ("truncated"), an invalid record Errc::tls_failed. A
  // cancelled receive loses no byte. BORROWS: the stream.
  Receive receive() {
    if (tls_ == nullptr) [[likely]]
      return Receive([this] { return socket_.receive(); });
    return Receive(receive_tls());
  }

  // Succeeds when the kernel has taken all bytes. After a cancelled or failed send the stream can
  // only be closed. BORROWS: the stream, and the bytes until it is over.
  Send send(Bytes bytes) {
    if (tls_ == nullptr) [[likely]]
      return Send([this, bytes] { return socket_.send(bytes); });
    return Send(send_tls(bytes));
  }

  // Ends sending: close_notify (over TLS) and FIN; receiving continues. Ends within kFinishMax even
  // if the peer reads nothing. BORROWS: the stream.
  async::Task<Result<void>> finish();
  static constexpr Duration kFinishMax = 1s;

  // Frees everything. Idempotent. Does not wait.
  void close() noexcept;
  explicit operator bool() const { return static_cast<bool>(socket_); }

  bool is_tls() const { return tls_ != nullptr; }
  // Returns the result of the handshake. REQUIRES: is_tls().
  TlsFacts tls_facts() const;
  // Returns the version and the cipher; empty without TLS.
  TlsNames tls_names() const;
  // Returns the negotiated protocol; empty if there is none. BORROWS: the stream.
  std::string_view alpn() const;

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

// Starts TLS on a connection, as its client. The caller sets the deadline (with_timeout).
// Fails with Errc::tls_failed, whose reason tls_failure() returns and whose detail describes it;
// Errc::peer_closed if the connection ended in the middle; Errc::over_limit if the peer sends more
// than any handshake needs; Errc::invalid_argument if the peer's name is invalid.
async::Task<Result<Stream>> tls_client_handshake(async::Socket socket,
                                                 std::shared_ptr<TlsContext> context, TlsPeer peer);

}  // namespace gossamer::net

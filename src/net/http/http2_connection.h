#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "async/cancel_scope.h"
#include "async/intrusive_list.h"
#include "async/loop.h"
#include "async/task.h"
#include "base/check.h"
#include "http/connection.h"
#include "http/http2_exchange.h"
#include "wire/http2_session.h"

namespace gossamer::http {

// HTTP/2 on a stream, plain or TLS: many concurrent exchanges.
//
// It has no task of its own. Of the exchanges that wait, one reads for all of them; when it leaves,
// another one continues. So a connection without a waiting exchange reads nothing: its server is
// slowed down, and it can be closed at any time.
class Http2Connection final : public Connection {
 public:
  // BORROWS: the options.
  Http2Connection(net::Stream stream, const ConnectionFacts& facts,
                  const ConnectionOptions& options)
      : options_(options),
        facts_(facts),
        scheme_(facts.is_tls ? "https" : "http"),
        stream_(std::move(stream)),
        session_(options.limits) {}
  ~Http2Connection() override { CHECK(exchanges_ == 0, "an HTTP/2 connection dies in use"); }

  // BOUND: exchanges on one connection. Those that the server does not accept yet wait in line.
  static constexpr std::size_t kExchangesMax = 4096;

  std::size_t room() const override { return is_reusable() ? kExchangesMax - exchanges_ : 0; }
  bool is_shared() const override { return true; }
  ExchangeOwner begin() override;
  bool is_reusable() const override {
    return !is_spent_ && !failure_ && session_.accepts_requests();
  }
  async::Task<bool> is_quiet() override;
  ConnectionFacts facts() const override {
    ConnectionFacts facts = facts_;
    facts.tls = stream_.tls_names();
    return facts;
  }
  std::optional<net::TlsFacts> tls_facts() const override {
    if (!stream_.is_tls()) return std::nullopt;
    return stream_.tls_facts();
  }

  // For its exchanges.
  const ConnectionOptions& options() const { return options_; }
  wire::Http2Session& session() { return session_; }
  std::string_view scheme() const { return scheme_; }
  bool is_tls() const { return facts_.is_tls; }
  const std::optional<Error>& failure() const { return failure_; }
  // Waits until the exchange has news, or must wait again. BORROWS: both.
  async::Task<Result<net::Chunk>> wait(Http2Exchange& exchange);
  // Sends output, unless another task does that already: one write, and more while the exchange has
  // nothing better to do. Another one continues then. BORROWS: both.
  async::Task<void> flush(Http2Exchange& exchange);
  void leave(Http2Exchange& exchange) noexcept;
  void wake(Http2Exchange& exchange) noexcept;
  // An exchange waited in vain for this long. If the server said nothing at all for half of it, the
  // connection may be dead.
  void note_silence(Duration limit) noexcept {
    is_spent_ |= async::Loop::current().now() - last_heard_ >= limit / 2;
  }
  // No more exchanges begin.
  void retire() noexcept { is_spent_ = true; }
  // When the session was last called. Reading the clock for every event would cost more.
  Instant event_time() const { return event_time_; }
  // When an exchange last made progress.
  Instant last_progress() const { return last_progress_; }
  void note_progress(Instant now) noexcept { last_progress_ = now; }

 private:
  // Reads for all exchanges until this one has news, or there is output that nobody sends. Fails
  // only with Errc::cancelled. BORROWS: both.
  async::Task<Result<void>> read_for_all(Http2Exchange& exchange);
  // BORROWS: the connection.
  async::Task<Result<net::Chunk>> receive_some() { co_return co_await stream_.receive(); }
  // One write, which ends at most slightly after `deadline`. Returns whether there is more output.
  // BORROWS: the connection.
  async::Task<bool> send_some(Instant deadline);
  // Tells the server why the connection ends, if that is possible. BORROWS: the connection.
  async::Task<void> say_goodbye();
  // Processes what was received.
  void feed(Result<net::Chunk> received);
  void fail_all(Error error);
  // Returns why the connection has ended, given the failure or the end that was received.
  Error closed_error(Result<net::Chunk> received) const;
  // Fails if the session has ended the connection, which it does only once its output is sent.
  void note_end();
  // Wakes an exchange if nobody reads, or if nobody sends what must be sent.
  void pass_on() noexcept;

  const ConnectionOptions& options_;
  const ConnectionFacts facts_;
  const std::string_view scheme_;
  net::Stream stream_;
  wire::Http2Session session_;
  std::optional<Error> failure_;
  async::IntrusiveList<Http2Exchange> waiting_;  // while another one reads
  Http2Exchange* reader_ = nullptr;              // the one that reads
  async::CancelScope* receiving_ = nullptr;      // its wait, which can be ended
  Instant last_heard_ = {};
  Instant last_progress_ = {};
  Instant event_time_ = {};
  std::size_t exchanges_ = 0;
  bool is_used_ = false;
  bool is_read_ = false;
  bool is_flushing_ = false;
  bool is_spent_ = false;
};

}  // namespace gossamer::http

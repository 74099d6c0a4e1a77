#include "http/http2_connection.h"

#include <algorithm>
#include <string>
#include <utility>

#include "async/event.h"
#include "async/frame_pool.h"
#include "async/intrusive_list.h"
#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "async/until.h"
#include "base/check.h"
#include "http/interruptible_receive.h"
#include "http/rate_meter.h"
#include "wire/http2_session.h"

namespace gossamer::http {
namespace {

// Bytes of one send.
constexpr std::size_t kWriteBytesMax = 64 * 1024;
// BOUND: exchanges on one connection. Those that the server does not accept yet wait in line.
constexpr std::size_t kExchangesMax = 4096;

class Http2Connection;

// The state of a response that is being read; a waiting exchange has none.
struct StreamReading {
  static void* operator new(std::size_t bytes) { return async::FramePool::allocate(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept {
    async::FramePool::release(memory, bytes);
  }

  wire::ResponseHead head;
  bool has_head = false;
  Instant first_byte_at = {};
  // BOUND: both together have at most the window of the stream.
  std::string arrived;
  std::string given;  // to the reader of the response
  RateMeter rate;
  std::uint64_t new_bytes = 0;         // since the rate was updated
  Duration waited = Duration::zero();  // since then
};

class Http2Exchange final : public Exchange,
                            public wire::Http2Reader,
                            public async::ListNode<Http2Exchange> {
 public:
  Http2Exchange(Http2Connection& connection, bool is_first) noexcept
      : connection_(connection), is_first_(is_first) {}
  Http2Exchange(const Http2Exchange&) = delete;
  Http2Exchange& operator=(const Http2Exchange&) = delete;
  ~Http2Exchange() = default;

  void end() noexcept override;
  async::Task<Result<void>> send(OutgoingRequest request) override;
  net::Stream::Receive receive() override;
  Instant patience() const override;
  Result<void> take(Result<net::Chunk> received) override;
  bool has_head() const override { return reading_ && reading_->has_head; }
  const wire::ResponseHead& head() const override { return reading_->head; }
  Result<std::optional<Bytes>> next_piece() override;
  void hold() override {}  // nothing is lent
  bool is_complete() const override { return is_ended_ && !failure_ && reading_->arrived.empty(); }
  bool has_begun() const override { return reading_ != nullptr; }
  bool is_first() const override { return is_first_; }
  Repeat repeat() const override { return repeat_; }
  std::string_view protocol() const override { return "HTTP/2"; }
  Instant first_byte_at() const override { return reading_->first_byte_at; }
  std::uint64_t bytes_sent() const override { return bytes_sent_; }
  std::uint64_t bytes_received() const override { return bytes_received_; }

  void on_sent(std::size_t bytes) override;
  void on_frame(std::size_t bytes) override { bytes_received_ += bytes; }
  void on_begin() override;
  void on_head(wire::ResponseHead head) override;
  void on_body(Bytes piece) override;
  void on_end(wire::Http2End how, std::optional<Error> error) override;

  // Set when there is something new, and when it must read for the others.
  async::Event news;
  bool is_in_line = false;  // it waits while another one reads

  Instant deadline() const { return deadline_; }

 private:
  Error explain(Error error, std::string_view step) const;
  // Returns how long the server may be silent now.
  Duration silence_max() const;
  // Returns whether its request may still leave the queue.
  bool has_hope() const;
  void note_progress();

  Http2Connection& connection_;
  std::int32_t stream_ = 0;
  Repeat repeat_ = Repeat::if_harmless;
  const bool is_first_;
  bool is_sent_ = false;  // it has left the queue
  bool is_ended_ = false;
  bool is_asked_ = false;  // asked_at_ is valid: nothing has arrived since
  Instant asked_at_ = {};
  Instant deadline_ = {};
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_received_ = 0;
  std::unique_ptr<StreamReading> reading_;
  std::unique_ptr<std::string> body_;  // of the request
  std::optional<Error> failure_;
};

class Http2Connection final : public Connection {
 public:
  Http2Connection(net::Stream stream, const ConnectionFacts& facts,
                  const ConnectionOptions& options)
      : options_(options),
        facts_(facts),
        scheme_(facts.is_tls ? "https" : "http"),
        stream_(std::move(stream)),
        session_(options.limits) {}
  ~Http2Connection() override { CHECK(exchanges_ == 0, "an HTTP/2 connection dies in use"); }

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
  Error closed_error() const;
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
  std::size_t exchanges_ = 0;
  bool is_used_ = false;
  bool is_read_ = false;
  bool is_flushing_ = false;
  bool is_spent_ = false;
};

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
    if (exchange.news.is_set() || failure_) break;
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
    return fail_all(received ? closed_error() : std::move(received).error());
  }
  last_heard_ = async::Loop::current().now();
  auto taken = session_.receive(received->bytes());
  if (!taken) fail_all(std::move(taken).error());
  note_end();
}

Error Http2Connection::closed_error() const {
  constexpr std::uint32_t kEnhanceYourCalm = 11;
  const auto code = session_.goaway_code();
  if (!code || *code == 0) return {Errc::peer_closed, "the server closed the connection"};
  return {*code == kEnhanceYourCalm ? Errc::unavailable : Errc::peer_closed,
          "the server closed the connection: " + std::string(wire::http2_code_name(*code))};
}

void Http2Connection::fail_all(Error error) {
  if (failure_) return;
  failure_ = std::move(error);
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
    has_more = co_await async::shielded(send_some(exchange.deadline()));
  } while (has_more && !exchange.news.is_set() && !async::cancel_requested());
  is_flushing_ = false;
  note_end();
  if (has_more) pass_on();
}

async::Task<bool> Http2Connection::send_some(Instant deadline) {
  if (failure_) co_return false;
  std::string out;
  auto taken = session_.take_output(out, kWriteBytesMax);
  if (!taken) fail_all(std::move(taken).error());
  if (failure_ || out.empty()) co_return false;
  const Instant now = async::Loop::current().now();
  const Instant latest = std::max(deadline, base::add_saturating(now, net::Stream::kFinishMax));
  const Instant due = std::min(base::add_saturating(now, options_.deadlines.idle), latest);
  auto sent = co_await async::until(due, [&] { return stream_.send(as_bytes(out)); });
  if (!sent && sent.error() == Errc::timed_out) {
    sent = fail(Errc::timed_out, "the server read nothing for " + base::to_string(due - now));
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

void Http2Exchange::end() noexcept {
  connection_.session().cancel(stream_);
  connection_.leave(*this);  // deletes this
}

async::Task<Result<void>> Http2Exchange::send(OutgoingRequest request) {
  deadline_ = request.deadline;
  auto written = wire::write_request(request.head, request.text);
  if (!written) co_return written;
  if (!connection_.is_reusable()) {
    repeat_ = Repeat::always;
    co_return fail(Errc::not_connected, "the server closed the connection");
  }
  if (!request.body.empty()) body_ = std::make_unique<std::string>(as_text(request.body));
  const Bytes body = body_ ? as_bytes(*body_) : Bytes();
  stream_ = connection_.session().request(request.head, connection_.scheme(), body, *this);
  co_await connection_.flush(*this);
  if (!has_begun() && !is_ended_) news.clear();
  if (failure_ && !has_begun()) co_return fail(explain(failure_->copy(), "sending the request"));
  co_return {};
}

net::Stream::Receive Http2Exchange::receive() {
  if (!is_asked_) asked_at_ = async::Loop::current().now();
  is_asked_ = true;
  return net::Stream::Receive(connection_.wait(*this));
}

Duration Http2Exchange::silence_max() const {
  const Deadlines& limits = connection_.options().deadlines;
  return has_begun() ? limits.idle : limits.first_byte;
}

// Other exchanges come first, as long as they get anywhere.
bool Http2Exchange::has_hope() const {
  return !is_sent_ && connection_.last_progress() > asked_at_ &&
         async::Loop::current().now() < deadline_;
}

Instant Http2Exchange::patience() const {
  return std::min(deadline_, base::add_saturating(asked_at_, silence_max()));
}

Error Http2Exchange::explain(Error error, std::string_view step) const {
  return explain_failure(std::move(error), step, silence_max(), deadline_,
                         connection_.options().deadlines);
}

Result<void> Http2Exchange::take(Result<net::Chunk> received) {
  const std::string_view step = has_head() ? "reading the body" : "waiting for the response";
  if (!received) {
    if (received.error() == Errc::timed_out) {
      if (has_hope()) {
        is_asked_ = false;
        return {};
      }
      connection_.note_silence(silence_max());
      if (!is_sent_) connection_.retire();
    }
    return fail(explain(std::move(received).error(), step));
  }
  if (reading_ && reading_->new_bytes > 0) {
    auto rate =
        reading_->rate.add(std::exchange(reading_->waited, Duration::zero()),
                           std::exchange(reading_->new_bytes, 0), connection_.options().deadlines);
    if (!rate) return fail(explain(std::move(rate).error(), step));
  }
  const bool has_unread = has_head() && !reading_->arrived.empty();
  if (failure_ && !has_unread) return fail(explain(failure_->copy(), step));
  return {};
}

Result<std::optional<Bytes>> Http2Exchange::next_piece() {
  CHECK(has_head(), "a body is read before its head");
  if (!reading_->given.empty()) {
    connection_.session().consume(stream_, reading_->given.size());
    reading_->given.clear();
  }
  if (!reading_->arrived.empty()) {
    std::swap(reading_->given, reading_->arrived);
    return as_bytes(reading_->given);
  }
  if (is_ended_ && !failure_) return Bytes();
  return std::nullopt;
}

void Http2Exchange::note_progress() {
  const Instant now = async::Loop::current().now();
  if (is_asked_ && reading_) reading_->waited += now - asked_at_;
  connection_.note_progress(now);
  is_asked_ = false;
  connection_.wake(*this);
}

void Http2Exchange::on_sent(std::size_t bytes) {
  bytes_sent_ += bytes;
  is_sent_ = true;
  note_progress();
}

void Http2Exchange::on_begin() {
  if (!reading_) {
    is_asked_ = false;  // the wait for the first byte has its own limit
    reading_ = std::make_unique<StreamReading>();
    reading_->first_byte_at = async::Loop::current().now();
  }
  note_progress();
}

void Http2Exchange::on_head(wire::ResponseHead head) {
  reading_->head = std::move(head);
  reading_->has_head = true;
  note_progress();
}

void Http2Exchange::on_body(Bytes piece) {
  reading_->arrived += as_text(piece);
  reading_->new_bytes += piece.size();
  note_progress();
}

void Http2Exchange::on_end(wire::Http2End how, std::optional<Error> error) {
  is_ended_ = true;
  failure_ = std::move(error);
  if (how == wire::Http2End::unprocessed) repeat_ = Repeat::always;
  const bool is_malformed = failure_ && *failure_ == Errc::malformed && !has_head();
  if (how == wire::Http2End::http1_required) repeat_ = Repeat::over_http1;
  if (is_malformed && connection_.is_tls()) repeat_ = Repeat::over_http1_if_harmless;
  if (repeat_ >= Repeat::over_http1) connection_.retire();
  note_progress();
}

}  // namespace

std::unique_ptr<Connection> make_http2_connection(net::Stream stream, const ConnectionFacts& facts,
                                                  const ConnectionOptions& options) {
  return std::make_unique<Http2Connection>(std::move(stream), facts, options);
}

}  // namespace gossamer::http

#include "http/http1_connection.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/until.h"
#include "base/check.h"

namespace gossamer::http {
namespace {

// Sent under one deadline.
constexpr std::size_t kSendBytesMax = 256 * 1024;

// The state of an answer that is being read. Made when its first byte comes, so that an exchange
// that waits is small.
struct Reading {
  Reading(wire::RequestKind kind, const wire::ResponseLimits& limits) : parser(kind, limits) {}

  wire::ResponseParser parser;
  wire::ResponseHead head;
  net::Chunk chunk;  // lent: what `rest` views, unless that was copied
  std::string held;
  Bytes rest;  // received and not yet parsed
};

class Http1Connection;

class Http1Exchange final : public Exchange {
 public:
  explicit Http1Exchange(Http1Connection& connection) noexcept : connection_(connection) {}
  ~Http1Exchange() override;

  async::Task<Result<void>> send(OutgoingRequest request) override;
  async::Task<Result<void>> receive_head() override;
  const wire::ResponseHead& head() const override { return reading_->head; }
  async::Task<Result<Bytes>> next() override;
  void hold() override;

  bool is_complete() const override { return reading_ && reading_->parser.is_complete(); }
  bool has_begun() const override { return reading_ != nullptr; }
  Instant first_byte_at() const override { return first_byte_at_; }
  std::uint64_t bytes_sent() const override { return bytes_sent_; }
  std::uint64_t bytes_received() const override { return bytes_received_; }

 private:
  using Step = wire::ResponseParser::Step;

  // Takes in what was received; the end of the stream may be the end of the answer.
  Result<void> take(Result<net::Chunk> received);
  // Only the time that we waited counts: a slow reader is not the server's fault.
  Result<void> check_rate();
  // What is done between two waits. Not inlined: what these need would be part of the frames.
  [[gnu::noinline]] Result<void> conclude_send(Result<void> sent);
  [[gnu::noinline]] Result<bool> take_head_part(Result<net::Chunk> received);
  [[gnu::noinline]] Result<void> take_body_part(Result<net::Chunk> received);
  // Nothing: more has to be received.
  [[gnu::noinline]] Result<std::optional<Bytes>> next_piece();
  // The next step that gives something, from what is here already. need_more: receive.
  Result<Step> parse();
  // When to give up waiting for the next piece, which begins now.
  Instant piece_deadline(Duration limit);
  // `limit` is what a deadline that passed was made of.
  Error explain(Error error, std::string_view step, Duration limit) const;
  bool is_left_clean() const;

  Http1Connection& connection_;
  std::unique_ptr<Reading> reading_;
  Instant deadline_ = {};
  Instant first_byte_at_ = {};
  Instant asked_at_ = {};
  Duration window_waited_ = Duration::zero();
  std::uint64_t window_bytes_ = 0;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_received_ = 0;
  wire::RequestKind kind_ = wire::RequestKind::ordinary;
};

class Http1Connection final : public Connection {
 public:
  Http1Connection(net::Stream stream, const ConnectionFacts& facts, const Http1Options& options)
      : stream_(std::move(stream)), facts_(facts), options_(options) {}

  std::size_t room() const override { return is_busy_ || is_spent_ ? 0 : 1; }
  std::unique_ptr<Exchange> begin() override {
    CHECK(room() > 0);
    is_busy_ = true;
    return std::make_unique<Http1Exchange>(*this);
  }
  bool is_reusable() const override { return !is_spent_; }
  async::Task<bool> is_quiet() override;
  const ConnectionFacts& facts() const override { return facts_; }
  std::optional<net::TlsFacts> tls_facts() const override {
    if (!stream_.is_tls()) return std::nullopt;
    return stream_.tls_facts();
  }

 private:
  friend class Http1Exchange;

  net::Stream stream_;
  const ConnectionFacts facts_;
  const Http1Options& options_;
  bool is_busy_ = false;
  bool is_spent_ = false;  // no further exchange may follow
};

async::Task<bool> Http1Connection::is_quiet() {
  const Instant now = async::Loop::current().now();
  const auto heard = co_await async::until(now, [&] { return stream_.receive(); });
  co_return !heard && heard.error() == Errc::timed_out;
}

Http1Exchange::~Http1Exchange() {
  connection_.is_busy_ = false;
  if (!is_left_clean()) {
    connection_.is_spent_ = true;
    connection_.stream_.close();
  }
}

// Bytes behind the end of an answer belong to no request of ours: such a connection is not used
// again.
bool Http1Exchange::is_left_clean() const {
  return reading_ && reading_->parser.is_reusable() && reading_->rest.empty();
}

Instant Http1Exchange::piece_deadline(Duration limit) {
  asked_at_ = async::Loop::current().now();
  return std::min(deadline_, base::add_saturating(asked_at_, limit));
}

Error Http1Exchange::explain(Error error, std::string_view step, Duration limit) const {
  if (error == Errc::timed_out && error.detail().empty()) {
    const bool is_whole = async::Loop::current().now() >= deadline_;
    const Duration passed = is_whole ? connection_.options_.deadlines.whole : limit;
    return Error(Errc::timed_out, std::string(step) + ": nothing more for " +
                                      base::to_string(passed) +
                                      (is_whole ? ", the time for all of it" : ""));
  }
  return std::move(error).with_context("while " + std::string(step));
}

async::Task<Result<void>> Http1Exchange::send(OutgoingRequest request) {
  kind_ = request.kind;
  deadline_ = request.deadline;
  bytes_sent_ = request.bytes.size();
  // In pieces, so that a large body may take its time as long as it moves.
  while (!request.bytes.empty()) {
    const Bytes piece = request.bytes.first(std::min(request.bytes.size(), kSendBytesMax));
    request.bytes = request.bytes.subspan(piece.size());
    auto sent =
        conclude_send(co_await async::until(piece_deadline(connection_.options_.deadlines.idle),
                                            [&] { return connection_.stream_.send(piece); }));
    if (!sent) co_return sent;
  }
  co_return {};
}

Result<void> Http1Exchange::conclude_send(Result<void> sent) {
  const Duration limit = connection_.options_.deadlines.idle;
  if (!sent) return fail(explain(std::move(sent).error(), "sending the request", limit));
  return {};
}

async::Task<Result<void>> Http1Exchange::receive_head() {
  for (;;) {
    const Deadlines& limits = connection_.options_.deadlines;
    auto is_there = take_head_part(
        co_await async::until(piece_deadline(reading_ ? limits.idle : limits.first_byte),
                              [&] { return connection_.stream_.receive(); }));
    if (!is_there) co_return fail(std::move(is_there).error());
    if (*is_there) co_return {};
  }
}

Result<bool> Http1Exchange::take_head_part(Result<net::Chunk> received) {
  const Deadlines& limits = connection_.options_.deadlines;
  const Duration limit = reading_ ? limits.idle : limits.first_byte;
  auto taken = take(std::move(received));
  if (!taken) return fail(explain(std::move(taken).error(), "waiting for the answer", limit));
  auto step = parse();
  if (!step) return fail(explain(std::move(step).error(), "reading the answer's head", limit));
  if (step->kind == Step::Kind::head) {
    reading_->head = reading_->parser.take_head();
    return true;
  }
  reading_->chunk = net::Chunk();  // goes back before we wait
  return false;
}

Result<void> Http1Exchange::take(Result<net::Chunk> received) {
  if (!received) return fail(std::move(received).error());
  const Instant now = async::Loop::current().now();
  window_waited_ += now - asked_at_;
  if (received->end()) {
    if (!reading_) return fail(Errc::peer_closed, "the connection ended without an answer");
    return reading_->parser.finish();
  }
  if (!reading_) {
    reading_ = std::make_unique<Reading>(kind_, connection_.options_.limits);
    first_byte_at_ = now;
    window_waited_ = Duration::zero();
  }
  bytes_received_ += received->size();
  window_bytes_ += received->size();
  reading_->chunk = std::move(*received);
  reading_->rest = reading_->chunk.bytes();
  return check_rate();
}

Result<void> Http1Exchange::check_rate() {
  const Deadlines& limits = connection_.options_.deadlines;
  if (limits.bytes_per_second_min == 0) return {};
  const Duration passed = window_waited_;
  if (passed < limits.rate_window) return {};
  const double seconds = std::chrono::duration<double>(passed).count();
  const auto needed = static_cast<double>(limits.bytes_per_second_min) * seconds;
  if (static_cast<double>(window_bytes_) < needed) {
    return fail(Errc::timed_out, "slower than " + std::to_string(limits.bytes_per_second_min) +
                                     " bytes a second for " + base::to_string(passed));
  }
  window_waited_ = Duration::zero();
  window_bytes_ = 0;
  return {};
}

Result<Http1Exchange::Step> Http1Exchange::parse() {
  auto step = reading_->parser.feed(reading_->rest);
  if (!step) return step;
  reading_->rest = reading_->rest.subspan(step->consumed);
  return step;
}

Result<std::optional<Bytes>> Http1Exchange::next_piece() {
  while (!reading_->parser.is_complete()) {
    auto step = parse();
    if (!step) return fail(std::move(step).error(), "while reading the body");
    if (step->kind == Step::Kind::body) return step->body;
    if (step->kind != Step::Kind::need_more) continue;
    reading_->chunk = net::Chunk();  // goes back before we wait
    return std::nullopt;
  }
  return Bytes();
}

Result<void> Http1Exchange::take_body_part(Result<net::Chunk> received) {
  auto taken = take(std::move(received));
  const Duration limit = connection_.options_.deadlines.idle;
  if (!taken) return fail(explain(std::move(taken).error(), "reading the body", limit));
  return {};
}

async::Task<Result<Bytes>> Http1Exchange::next() {
  CHECK(reading_ != nullptr, "a body is read before its head");
  for (;;) {
    auto piece = next_piece();
    if (!piece) co_return fail(std::move(piece).error());
    if (*piece) co_return **piece;
    auto taken =
        take_body_part(co_await async::until(piece_deadline(connection_.options_.deadlines.idle),
                                             [&] { return connection_.stream_.receive(); }));
    if (!taken) co_return fail(std::move(taken).error());
  }
}

void Http1Exchange::hold() {
  if (!reading_) return;
  std::string copy(as_text(reading_->rest));
  reading_->held = std::move(copy);
  reading_->rest = as_bytes(reading_->held);
  reading_->chunk = net::Chunk();
}

}  // namespace

std::unique_ptr<Connection> make_http1_connection(net::Stream stream, const ConnectionFacts& facts,
                                                  const Http1Options& options) {
  return std::make_unique<Http1Connection>(std::move(stream), facts, options);
}

}  // namespace gossamer::http

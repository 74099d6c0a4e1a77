#include "http/http1_connection.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "async/frame_pool.h"
#include "async/loop.h"
#include "async/until.h"
#include "base/check.h"
#include "http/rate_meter.h"
#include "wire/framing.h"
#include "wire/request_writer.h"
#include "wire/response_parser.h"

namespace gossamer::http {
namespace {

// Bytes sent under one deadline.
constexpr std::size_t kSendBytesMax = 256 * 1024;

// The state of a response that is being read. It is made when the first byte arrives, so that a
// waiting exchange is small. It uses the blocks of coroutine frames, because it is made and
// destroyed with every response.
struct Reading {
  Reading(wire::RequestKind kind, const wire::ResponseLimits& limits, Instant now)
      : parser(kind, limits), first_byte_at(now) {}

  static void* operator new(std::size_t bytes) { return async::FramePool::allocate(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept {
    async::FramePool::release(memory, bytes);
  }

  wire::ResponseParser parser;
  wire::ResponseHead head;
  bool has_head = false;
  net::Chunk chunk;  // lent: `rest` views it, unless it was copied
  std::string held;
  Bytes rest;  // received and not yet parsed
  const Instant first_byte_at;
  std::uint64_t bytes_received = 0;
  Instant asked_at = {};  // when more was requested
  RateMeter rate;
};

// The facts of a connection with its times in microseconds; 32 bits last for an hour.
class PackedFacts {
 public:
  explicit PackedFacts(const ConnectionFacts& facts)
      : remote_(facts.remote),
        dns_from_cache_(facts.dns_from_cache),
        is_tls_(facts.is_tls),
        dns_us_(pack(facts.dns)),
        connect_us_(pack(facts.connect)),
        handshake_us_(pack(facts.handshake)) {}

  ConnectionFacts unpacked() const {
    return {.remote = remote_,
            .dns_from_cache = dns_from_cache_,
            .is_tls = is_tls_,
            .dns = 1us * dns_us_,
            .connect = 1us * connect_us_,
            .handshake = 1us * handshake_us_};
  }

 private:
  static std::uint32_t pack(Duration time) {
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(time / 1us, 0, kMost));
  }

  async::Endpoint remote_;
  bool dns_from_cache_;
  bool is_tls_;
  std::uint32_t dns_us_;
  std::uint32_t connect_us_;
  std::uint32_t handshake_us_;
};

// It carries one exchange at a time, so it is its own exchange. (Exchange is the first base, so
// that the members of this class begin in the padding of Connection.)
class Http1Connection final : public Exchange, public Connection {
 public:
  Http1Connection(net::Stream stream, const ConnectionFacts& facts,
                  const ConnectionOptions& options)
      : stream_(std::move(stream)), options_(options), facts_(facts) {}

  std::size_t room() const override { return is_busy_ || is_spent_ ? 0 : 1; }
  ExchangeOwner begin() override;
  bool is_shared() const override { return false; }
  bool is_reusable() const override { return !is_spent_; }
  async::Task<bool> is_quiet() override;
  ConnectionFacts facts() const override {
    ConnectionFacts facts = facts_.unpacked();
    facts.tls = stream_.tls_names();
    return facts;
  }
  std::optional<net::TlsFacts> tls_facts() const override;

  void end() noexcept override;
  async::Task<Result<void>> send(OutgoingRequest request) override;
  net::Stream::Receive receive() override {
    if (reading_) reading_->asked_at = async::Loop::current().now();
    return stream_.receive();
  }
  Instant patience() const override { return piece_deadline(piece_limit()); }
  Result<void> take(Result<net::Chunk> received) override;
  bool has_head() const override { return reading_ && reading_->has_head; }
  const wire::ResponseHead& head() const override { return reading_->head; }
  Result<std::optional<Bytes>> next_piece() override;
  void hold() override;
  void extend(Duration by) noexcept override { deadline_ = base::add_saturating(deadline_, by); }
  bool is_complete() const override { return reading_ && reading_->parser.is_complete(); }
  bool has_begun() const override { return reading_ != nullptr; }
  bool is_first() const override { return is_first_; }
  Repeat repeat() const override { return Repeat::if_harmless; }
  std::string_view protocol() const override {
    return head().minor_version() == 0 ? "HTTP/1.0" : "HTTP/1.1";
  }
  Instant first_byte_at() const override { return reading_->first_byte_at; }
  std::uint64_t bytes_sent() const override { return bytes_sent_; }
  std::uint64_t bytes_received() const override { return reading_ ? reading_->bytes_received : 0; }

 private:
  using Step = wire::ResponseParser::Step;

  // Stores the received bytes; the end of the stream may be the end of the response.
  Result<void> accept(Result<net::Chunk> received);
  Result<void> read_head();
  // Not inlined, because their locals would be part of a frame.
  [[gnu::noinline]] Result<void> prepare(const OutgoingRequest& request);
  [[gnu::noinline]] Result<void> conclude_send(Result<void> sent);
  // Returns the next step that produces something, from the received bytes. need_more: receive.
  Result<Step> parse();
  // Returns how long the next piece of the response may take.
  Duration piece_limit() const;
  // Returns the deadline for a piece whose wait begins now.
  Instant piece_deadline(Duration limit) const;
  // `limit` is the duration of the deadline that passed.
  Error explain(Error error, std::string_view step, Duration limit) const;
  bool is_left_clean() const;

  bool is_busy_ = false;
  bool is_spent_ = false;  // no other exchange can follow
  bool is_first_ = true;
  // The current exchange.
  wire::RequestKind kind_ = wire::RequestKind::ordinary;
  std::unique_ptr<Reading> reading_;
  Instant deadline_ = {};
  std::uint64_t bytes_sent_ = 0;

  net::Stream stream_;
  const ConnectionOptions& options_;
  const PackedFacts facts_;
};

static_assert(sizeof(Http1Connection) <= 168);  // every waiting fetch has one

ExchangeOwner Http1Connection::begin() {
  CHECK(room() > 0);
  is_busy_ = true;
  bytes_sent_ = 0;
  return ExchangeOwner(this);
}

void Http1Connection::end() noexcept {
  is_busy_ = false;
  is_first_ = false;
  if (!is_left_clean()) {
    is_spent_ = true;
    stream_.close();
  }
  reading_.reset();
}

async::Task<bool> Http1Connection::is_quiet() {
  const Instant now = async::Loop::current().now();
  const auto heard = co_await async::until(now, [&] { return stream_.receive(); });
  co_return !heard && heard.error() == Errc::timed_out;
}

std::optional<net::TlsFacts> Http1Connection::tls_facts() const {
  if (!stream_.is_tls()) return std::nullopt;
  return stream_.tls_facts();
}

// Bytes after the end of a response do not belong to any request, so such a connection is not
// reused.
bool Http1Connection::is_left_clean() const {
  return reading_ && reading_->parser.is_reusable() && reading_->rest.empty();
}

Duration Http1Connection::piece_limit() const {
  return reading_ ? options_.deadlines.idle : options_.deadlines.first_byte;
}

Instant Http1Connection::piece_deadline(Duration limit) const {
  return std::min(deadline_, base::add_saturating(async::Loop::current().now(), limit));
}

Error Http1Connection::explain(Error error, std::string_view step, Duration limit) const {
  return explain_failure(std::move(error), step, limit, deadline_, options_.deadlines);
}

async::Task<Result<void>> Http1Connection::send(OutgoingRequest request) {
  if (auto written = prepare(request); !written) co_return written;
  Bytes rest = as_bytes(request.text);
  // In pieces, so that a large body can take long as long as it makes progress.
  while (!rest.empty()) {
    const Bytes piece = rest.first(std::min(rest.size(), kSendBytesMax));
    rest = rest.subspan(piece.size());
    auto sent = conclude_send(co_await async::until(piece_deadline(options_.deadlines.idle),
                                                    [&] { return stream_.send(piece); }));
    if (!sent) co_return sent;
  }
  co_return {};
}

Result<void> Http1Connection::prepare(const OutgoingRequest& request) {
  kind_ = request.head.method == "HEAD" ? wire::RequestKind::head : wire::RequestKind::ordinary;
  deadline_ = request.deadline;
  if (auto written = wire::write_request(request.head, request.text); !written) return written;
  request.text += as_text(request.body);
  bytes_sent_ = request.text.size();
  return {};
}

Result<void> Http1Connection::conclude_send(Result<void> sent) {
  const Duration limit = options_.deadlines.idle;
  if (!sent) return fail(explain(std::move(sent).error(), "sending the request", limit));
  return {};
}

Result<void> Http1Connection::take(Result<net::Chunk> received) {
  const Duration limit = piece_limit();
  auto accepted = accept(std::move(received));
  if (!accepted) {
    return fail(explain(std::move(accepted).error(),
                        has_head() ? "reading the body" : "waiting for the response", limit));
  }
  if (reading_->has_head) return {};
  auto read = read_head();
  if (!read) return fail(explain(std::move(read).error(), "reading the response head", limit));
  return {};
}

Result<void> Http1Connection::accept(Result<net::Chunk> received) {
  if (!received) return fail(std::move(received).error());
  if (received->end()) {
    if (!reading_)
      return fail(Errc::peer_closed, "the server closed the connection without a response");
    return reading_->parser.finish();
  }
  const Instant now = async::Loop::current().now();
  Duration waited = Duration::zero();
  if (reading_) {
    waited = now - reading_->asked_at;
  } else {
    reading_ = std::make_unique<Reading>(kind_, options_.limits.response, now);
  }
  const std::size_t bytes = received->size();
  reading_->bytes_received += bytes;
  reading_->chunk = std::move(*received);
  reading_->rest = reading_->chunk.bytes();
  return reading_->rate.add(waited, bytes, options_.deadlines);
}

Result<void> Http1Connection::read_head() {
  auto step = parse();
  if (!step) return fail(std::move(step).error());
  reading_->has_head = step->kind == Step::Kind::head;
  if (reading_->has_head) {
    reading_->head = reading_->parser.take_head();
  } else {
    reading_->chunk = net::Chunk();  // returned to the driver before we wait
  }
  return {};
}

Result<Http1Connection::Step> Http1Connection::parse() {
  auto step = reading_->parser.feed(reading_->rest);
  if (!step) return step;
  reading_->rest = reading_->rest.subspan(step->consumed);
  return step;
}

Result<std::optional<Bytes>> Http1Connection::next_piece() {
  CHECK(has_head(), "a body is read before its head");
  while (!reading_->parser.is_complete()) {
    auto step = parse();
    if (!step) return fail(std::move(step).error(), "while reading the body");
    if (step->kind == Step::Kind::body) return step->body;
    if (step->kind != Step::Kind::need_more) continue;
    reading_->chunk = net::Chunk();  // returned to the driver before we wait
    return std::nullopt;
  }
  return Bytes();
}

void Http1Connection::hold() {
  if (!reading_) return;
  std::string copy(as_text(reading_->rest));
  reading_->held = std::move(copy);
  reading_->rest = as_bytes(reading_->held);
  reading_->chunk = net::Chunk();
}

}  // namespace

std::unique_ptr<Connection> make_http1_connection(net::Stream stream, const ConnectionFacts& facts,
                                                  const ConnectionOptions& options) {
  return std::make_unique<Http1Connection>(std::move(stream), facts, options);
}

}  // namespace gossamer::http

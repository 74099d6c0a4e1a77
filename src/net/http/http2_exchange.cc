#include "http/http2_exchange.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "base/check.h"
#include "http/http2_connection.h"

namespace gossamer::http {

namespace {

// Buffers for bodies, recycled per thread: a response that waits has none. Without them, malloc()
// returns the memory of each page to the kernel, and gets it back.
class BodyBuffers {
 public:
  static constexpr std::size_t kBytes = 16 * 1024;
  // Buffers that a thread keeps for reuse.
  static constexpr std::size_t kSparesMax = 32;

  static std::string take() {
    std::string buffer;
    if (spares_.empty()) {
      buffer.reserve(kBytes);
    } else {
      buffer.swap(spares_.back());
      spares_.pop_back();
    }
    return buffer;
  }

  // Leaves a buffer without memory.
  static void give_back(std::string& buffer) {
    std::string last;
    last.swap(buffer);
    last.clear();
    const bool is_usual = last.capacity() >= kBytes && last.capacity() <= 2 * kBytes;
    if (is_usual && spares_.size() < kSparesMax) spares_.push_back(std::move(last));
  }

 private:
  static inline thread_local std::vector<std::string> spares_;
};

}  // namespace

StreamReading::~StreamReading() {
  BodyBuffers::give_back(arrived);
  BodyBuffers::give_back(given);
}

void Http2Exchange::end() noexcept {
  connection_.session().cancel(stream_);
  connection_.leave(*this);  // deletes this
}

async::Task<Result<void>> Http2Exchange::send(OutgoingRequest request) {
  deadline_ = request.deadline;
  auto written = wire::describe_http2_request(request.head, request.text);
  if (!written) co_return written;
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
    BodyBuffers::give_back(reading_->given);
  }
  if (!reading_->arrived.empty()) {
    std::swap(reading_->given, reading_->arrived);
    return as_bytes(reading_->given);
  }
  if (is_ended_ && !failure_) return Bytes();
  return std::nullopt;
}

void Http2Exchange::note_progress() {
  const Instant now = connection_.event_time();
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
    reading_->first_byte_at = connection_.event_time();
  }
  note_progress();
}

void Http2Exchange::on_head(wire::ResponseHead head) {
  reading_->head = std::move(head);
  reading_->has_head = true;
  note_progress();
}

void Http2Exchange::on_body(Bytes piece) {
  if (reading_->arrived.empty()) reading_->arrived = BodyBuffers::take();
  reading_->arrived += as_text(piece);
  reading_->new_bytes += piece.size();
  note_progress();
}

void Http2Exchange::on_end(wire::Http2End how, std::optional<Error> error) {
  is_ended_ = true;
  failure_ = std::move(error);
  if (how == wire::Http2End::unprocessed) repeat_ = Repeat::always;
  const bool is_malformed = failure_ && *failure_ == Errc::malformed && !has_head();
  // Without TLS, HTTP/2 is what the user wants.
  const bool has_choice = connection_.is_tls();
  if (how == wire::Http2End::http1_required && has_choice) repeat_ = Repeat::over_http1;
  if (is_malformed && has_choice) repeat_ = Repeat::over_http1_if_harmless;
  if (repeat_ >= Repeat::over_http1) connection_.retire();
  note_progress();
}

}  // namespace gossamer::http

#include "server/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "async/cancel_at_end.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/serve_each.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "async/until.h"
#include "base/log.h"

namespace gossamer::server {
namespace {

// When a server begins to look whether the client is still there.
constexpr Duration kWatchAfter = 200ms;
// A client that sends no more may have closed the connection, too. Only sending tells: what comes
// after the close is answered with a reset, and the next attempt fails. Clients ignore this interim
// response (RFC 9110, section 15.2.1).
constexpr std::string_view kProbe = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr Duration kFirstProbeTime = 100ms;
constexpr Duration kProbeInterval = 5s;
// BOUND: what a client may send before it has its answer.
constexpr std::size_t kHeardBytesMax = 64 * 1024;
constexpr std::size_t kPieceBytes = 64 * 1024;
// BOUND: what is read after the last answer, so that the kernel does not reset the connection
// before the client has read it.
constexpr std::size_t kDrainedBytesMax = 256 * 1024;
constexpr Duration kDrainTime = 2s;
// Slower readers would hold a body for hours.
constexpr std::size_t kLeastBytesPerSecond = 256 * 1024;

Instant after(Duration time) { return base::add_saturating(async::Loop::current().now(), time); }

// Counts bytes, answers or connections while it exists, and tells its end.
class Held {
 public:
  Held(std::size_t& sum, std::size_t count, async::Event* ended = nullptr)
      : sum_(sum), count_(count), ended_(ended) {
    sum_ += count_;
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    sum_ -= count_;
    if (ended_ != nullptr) ended_->set();
  }

 private:
  std::size_t& sum_;
  std::size_t count_;
  async::Event* ended_;
};

}  // namespace

async::Task<Result<void>> HttpServer::run(async::Listener listener) {
  co_return co_await async::serve_each(
      listener, [this](async::Socket socket) { return serve(std::move(socket)); });
}

async::Task<Result<void>> HttpServer::serve(async::Socket socket) {
  if (connections_ >= limits_.connections_max) {
    auto said = co_await send(socket, plain_response(503, "too many connections"), false, false);
    if (!said || rejected_ >= limits_.connections_max) co_return said;
    const Held held(rejected_, 1);
    co_return co_await part(socket);
  }
  const Held held(connections_, 1);
  try {
    co_return co_await converse(socket);
  } catch (const std::exception& exception) {
    LOG(warn, "a connection ended: {}", exception.what());
  }
  co_return {};
}

async::Task<Result<void>> HttpServer::converse(async::Socket& socket) {
  std::string heard;
  for (;;) {
    RequestParser parser(limits_.request);
    auto is_there = co_await read(socket, heard, parser);
    if (!is_there) co_return fail(std::move(is_there).error());
    if (!*is_there) co_return {};
    if (parser.has_failed()) {
      auto said =
          co_await send(socket, plain_response(parser.failure(), "bad request"), false, false);
      if (!said) co_return said;
      co_return co_await part(socket);
    }
    const Request request = parser.take();
    Response response = co_await answer(socket, heard, request);
    const bool keeps_alive =
        request.keeps_alive && !response.closes && (request.is_http_1_1 || !response.stream);
    const bool is_head = request.method == "HEAD";
    if (auto said = co_await send(socket, std::move(response), is_head, keeps_alive); !said) {
      co_return said;
    }
    if (!keeps_alive) co_return co_await part(socket);
  }
}

async::Task<Result<void>> HttpServer::wait_for_room() {
  const Instant due = after(limits_.room_time);
  // One large answer alone does not delay others.
  while ((bodies_ > 1 && body_bytes_ >= limits_.busy_bytes) || made_ >= limits_.answers_made_max) {
    has_room_.clear();
    auto waited = co_await async::until(due, [this] { return has_room_.wait(); });
    if (!waited) co_return waited;
  }
  co_return {};
}

async::Task<Response> HttpServer::answer(async::Socket& socket, std::string& heard,
                                         const Request& request) {
  if (auto room = co_await wait_for_room(); !room) {
    co_return plain_response(503, "too many large answers are being sent");
  }
  const Held held(made_, 1, &has_room_);
  try {
    if (responder_.is_slow(request)) co_return co_await answer_slowly(socket, heard, request);
    co_return co_await responder_.answer(request);
  } catch (const std::exception& exception) {
    // Such as a lack of memory. The other connections continue.
    LOG(warn, "a request failed: {}", exception.what());
  }
  Response response = plain_response(500, "the server failed");
  response.closes = true;
  co_return response;
}

async::Task<Response> HttpServer::answer_slowly(async::Socket& socket, std::string& heard,
                                                const Request& request) {
  async::Scope scope(async::OnFailure::keep_going);
  auto response = scope.spawn(answer_in(scope, request));
  scope.spawn(watch_client(scope, socket, heard, request));
  static_cast<void>(co_await scope.join());
  co_return response.take();
}

async::Task<Response> HttpServer::answer_in(async::Scope& scope, const Request& request) {
  const async::CancelAtEnd end(scope);
  co_return co_await responder_.answer(request);
}

async::Task<Result<void>> HttpServer::watch_client(async::Scope& scope, async::Socket& socket,
                                                   std::string& heard, const Request& request) {
  // Most answers are ready before.
  if (auto slept = co_await async::sleep(kWatchAfter); !slept) co_return slept;
  while (heard.size() < kHeardBytesMax) {
    auto lent = co_await socket.receive();
    if (!lent && lent.error() == Errc::cancelled) co_return fail(Errc::cancelled);
    if (!lent) {
      scope.cancel();
      co_return {};
    }
    if (lent->end()) {
      // There are no interim responses in HTTP/1.0, so we assume that it waits.
      if (request.is_http_1_1) co_return co_await probe_client(scope, socket);
      co_return {};
    }
    heard += as_text(lent->bytes());
  }
  co_return {};
}

async::Task<Result<void>> HttpServer::probe_client(async::Scope& scope, async::Socket& socket) {
  for (Duration pause = kFirstProbeTime;; pause = kProbeInterval) {
    // A part of it would spoil the answer.
    if (auto sent = co_await async::shielded(send_bytes(socket, kProbe)); !sent) {
      scope.cancel();
      co_return {};
    }
    if (auto slept = co_await async::sleep(pause); !slept) co_return slept;
  }
}

async::Task<Result<bool>> HttpServer::read(async::Socket& socket, std::string& heard,
                                           RequestParser& parser) {
  Instant due = after(limits_.idle_time);
  bool had_begun = false;
  bool had_head = false;
  for (;;) {
    const std::size_t taken = parser.feed(as_bytes(heard));
    heard.erase(0, taken);
    if (parser.is_done() || parser.has_failed()) co_return true;
    // One deadline for the whole head, so that a byte now and then does not help.
    if (parser.has_begun() && !std::exchange(had_begun, true)) due = after(limits_.head_time);
    if (parser.has_head() && !std::exchange(had_head, true)) due = after(limits_.head_time);
    auto lent = co_await async::until(due, [&socket] { return socket.receive(); });
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return false;
    heard += as_text(lent->bytes());
  }
}

async::Task<Result<void>> HttpServer::send(async::Socket& socket, Response response, bool is_head,
                                           bool keeps_alive) {
  if (!is_head && response.body.size() > limits_.body_bytes_max - body_bytes_) {
    response = plain_response(503, "too many large answers are being sent");
  }
  if (!is_head && response.mapped.bytes.size() > limits_.mapped_bytes_max - mapped_bytes_) {
    response = plain_response(503, "too many large answers are being sent");
  }
  responder_.seal(response);
  ++answers_[response.status];
  const Held held(body_bytes_, response.body.size(), &has_room_);
  const Held held_file(mapped_bytes_, response.mapped.bytes.size(), &has_room_);
  const Held held_body(bodies_, 1, &has_room_);
  if (auto sent = co_await send_bytes(socket, write_head(response, keeps_alive)); !sent) {
    co_return sent;
  }
  if (is_head) co_return {};
  if (response.stream) co_return co_await send_stream(socket, *response.stream);
  co_return co_await send_bytes(socket, response.bytes());
}

async::Task<Result<void>> HttpServer::send_stream(async::Socket& socket, BodyStream& stream) {
  for (;;) {
    auto piece = co_await stream.next();
    if (!piece) co_return fail(std::move(piece).error());
    if (piece->empty()) break;
    const std::string chunk = fmt::format("{:x}\r\n{}\r\n", piece->size(), *piece);
    if (auto sent = co_await send_bytes(socket, chunk); !sent) co_return sent;
  }
  co_return co_await send_bytes(socket, "0\r\n\r\n");
}

async::Task<Result<void>> HttpServer::send_bytes(async::Socket& socket, std::string_view bytes) {
  const Instant due =
      after(limits_.send_time + std::chrono::seconds(bytes.size() / kLeastBytesPerSecond));
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    auto sent = co_await async::until(std::min(due, after(limits_.send_time)),
                                      [&] { return socket.send(as_bytes(piece)); });
    if (!sent) co_return sent;
    bytes.remove_prefix(piece.size());
  }
  co_return {};
}

async::Task<Result<void>> HttpServer::part(async::Socket& socket) {
  if (auto ended = co_await socket.shutdown(); !ended) co_return ended;
  const Instant due = after(kDrainTime);
  std::size_t drained = 0;
  while (drained < kDrainedBytesMax) {
    auto lent = co_await async::until(due, [&socket] { return socket.receive(); });
    if (!lent || lent->end()) break;
    drained += lent->size();
  }
  co_return {};
}

}  // namespace gossamer::server

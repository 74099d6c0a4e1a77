#include "tests/site_server/site_server.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/until.h"
#include "base/hash.h"
#include "url/url.h"

namespace gossamer::site {
namespace {

constexpr Duration kPauseAfterFailedAccept = 10ms;

}  // namespace

// The bytes to send, and how.
struct SiteServer::Reply {
  std::shared_ptr<const WrittenAnswer> answer;
  std::uint32_t attempt = 0;
  bool is_head = false;

  const Pace& pace() const { return answer->pace; }
  std::string_view bytes() const {
    const std::string_view all = answer->bytes;
    return all.substr(0, std::min(is_head ? answer->head_bytes : all.size(), pace().bytes_max));
  }
};

// Counts a request while it is answered.
class SiteServer::Ticket {
 public:
  explicit Ticket(SiteServer& server) : server_(server) {
    server_.in_flight_max_ = std::max(server_.in_flight_max_, ++server_.in_flight_);
  }
  ~Ticket() { --server_.in_flight_; }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

 private:
  SiteServer& server_;
};

SiteServer::SiteServer(const Site& site, SiteServerOptions options)
    : site_(site), options_(options), cache_(options.cache_bytes_max) {}

async::Task<Result<void>> SiteServer::run(async::Endpoint at) {
  auto listener = async::Listener::bind(at);
  if (!listener) co_return fail(std::move(listener).error());
  co_return co_await run(std::move(*listener));
}

async::Task<Result<void>> SiteServer::run(async::Listener listener) {
  async::Scope scope(async::OnFailure::keep_going);
  for (;;) {
    auto socket = co_await listener.accept();
    if (socket) {
      scope.spawn(serve(std::move(*socket), ++connections_));
      continue;
    }
    if (socket.error() == Errc::cancelled) break;
    // Descriptors may be exhausted, or the client may have closed: neither ends the server.
    if (auto slept = co_await async::sleep(kPauseAfterFailedAccept); !slept) break;
  }
  scope.cancel();
  co_return co_await scope.join();
}

async::Task<Result<void>> SiteServer::serve(async::Socket socket, std::uint64_t connection) {
  std::string heard;
  for (;;) {
    SiteRequest request;
    auto size = co_await read(socket, heard, request);
    if (!size) co_return fail(std::move(size).error());
    if (*size == 0) co_return {};
    auto goes_on = co_await reply(socket, request, connection);
    if (!goes_on) co_return fail(std::move(goes_on).error());
    if (!*goes_on) co_return {};
    heard.erase(0, *size);
  }
}

async::Task<Result<std::size_t>> SiteServer::read(async::Socket& socket, std::string& heard,
                                                  SiteRequest& request) {
  for (;;) {
    auto size = read_request(heard, request);
    if (size && *size > 0) co_return *size;
    if (!size || heard.size() > options_.request_bytes_max) {
      auto refused = co_await refuse(socket, size ? 431 : 400);
      if (!refused) co_return fail(std::move(refused).error());
      co_return 0;
    }
    const Instant deadline = async::Loop::current().now() + options_.idle_max;
    auto lent = co_await async::until(deadline, [&] { return socket.receive(); });
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return 0;
    heard += as_text(lent->bytes());
  }
}

async::Task<Result<bool>> SiteServer::reply(async::Socket& socket, const SiteRequest& request,
                                            std::uint64_t connection) {
  if ((request.method != "GET" && request.method != "HEAD") || request.has_body) {
    auto refused = co_await refuse(socket, 405);
    if (!refused) co_return fail(std::move(refused).error());
    co_return false;
  }
  const Ticket ticket(*this);
  const Reply reply = make_reply(request);
  LogEntry entry = {.begun = async::Loop::current().now(),
                    .status = reply.pace().bytes_max == 0 ? 0 : reply.answer->status,
                    .attempt = reply.attempt,
                    .connection = connection};
  if (options_.keeps_log || observer_) {
    entry.host = request.host;
    entry.target = request.target;
    entry.method = request.method;
    entry.user_agent = request.user_agent;
  }
  auto sent = co_await send_paced(socket, reply.bytes(), reply.pace());
  log_end(std::move(entry), sent && !reply.pace().is_cut());
  if (!sent) co_return fail(std::move(sent).error());
  if (reply.pace().is_cut()) co_return false;
  if (request.keeps_alive) co_return true;
  auto lingered = co_await linger(socket);
  if (!lingered) co_return fail(std::move(lingered).error());
  co_return false;
}

async::Task<Result<void>> SiteServer::refuse(async::Socket& socket, int status) {
  Answer answer = {.status = status};
  if (status == 405) answer.fields.emplace_back("Allow", "GET, HEAD");
  const WrittenAnswer written = write(answer, {.keeps_alive = false});
  if (auto sent = co_await socket.send(as_bytes(written.bytes)); !sent) co_return sent;
  co_return co_await linger(socket);
}

// Closing immediately would reset the connection if unread bytes have arrived, and the client could
// lose the response (RFC 9112 section 9.6).
async::Task<Result<void>> SiteServer::linger(async::Socket& socket) {
  if (auto done = co_await socket.shutdown(); !done) co_return done;
  const Instant deadline = async::Loop::current().now() + options_.linger_max;
  for (;;) {
    auto lent = co_await async::until(deadline, [&] { return socket.receive(); });
    if (!lent && lent.error() == Errc::cancelled) co_return fail(Errc::cancelled);
    if (!lent || lent->end()) co_return {};
  }
}

void SiteServer::warm_up() {
  const Layout& layout = site_.layout();
  std::size_t room = options_.cache_bytes_max;
  for (std::uint64_t i = 0; i < layout.count(Kind::page); ++i) {
    for (std::uint32_t host = 0; host < layout.options().hosts.size(); ++host) {
      const std::string target = layout.target({host, Kind::page, i});
      SiteRequest request = {.method = "GET", .host = layout.options().hosts[host]};
      request.target = target;
      request.accepts_gzip = site_.options().gzipped > 0;
      const std::size_t size = make_answer(request, cache_key(request)).answer->bytes.size();
      if (size > room) return attempts_.clear();
      room -= size;
    }
  }
  attempts_.clear();  // no request was made yet
}

SiteServer::Reply SiteServer::make_reply(const SiteRequest& request) {
  ++requests_;
  if (options_.requests_per_second_max > 0 && is_too_often(request.host)) {
    const Answer answer = {.status = 429, .fields = {{"Retry-After", "1"}}};
    return {.answer = std::make_shared<WrittenAnswer>(write(answer, request)),
            .is_head = request.method == "HEAD"};
  }
  // Only responses for the usual request are cached: HTTP/1.1 with keep-alive.
  const bool is_usual = request.keeps_alive && request.is_http_1_1;
  const std::uint64_t key = cache_key(request);
  Reply reply;
  if (is_usual) reply.answer = cache_.find(key);
  if (reply.answer) {
    reply.attempt = attempts_[reply.answer->resource]++;
  } else {
    reply = make_answer(request, key);
  }
  reply.is_head = request.method == "HEAD";
  return reply;
}

bool SiteServer::is_too_often(std::string_view host) {
  const Instant now = async::Loop::current().now();
  Second& second = seconds_[base::hash64(host)];
  if (now - second.begun >= 1s) second = {.begun = now};
  return ++second.requests > options_.requests_per_second_max;
}

SiteServer::Reply SiteServer::make_answer(const SiteRequest& request, std::uint64_t key) {
  const std::uint64_t resource = resource_key(request.host, request.target);
  const std::uint32_t attempt = attempts_[resource]++;
  const Answer answer = site_.answer({.host = request.host,
                                      .target = request.target,
                                      .attempt = attempt,
                                      .accepts_gzip = request.accepts_gzip});
  auto written = std::make_shared<WrittenAnswer>(write(answer, request));
  written->resource = resource;
  if (answer.is_steady && request.keeps_alive && request.is_http_1_1) {
    cache_.add(key, written);
  }
  return {.answer = std::move(written), .attempt = attempt};
}

std::uint64_t SiteServer::cache_key(const SiteRequest& request) const {
  const bool may_be_packed = request.accepts_gzip && site_.options().gzipped > 0;
  return base::hash64(request.target, base::hash64(request.host, may_be_packed ? 1 : 0));
}

std::uint64_t SiteServer::resource_key(std::string_view host, std::string_view target) const {
  const auto number = site_.layout().find_host(host);
  if (!number) return base::hash64(target, base::hash64(host));
  const Resource resource = site_.layout().find(*number, target);
  if (resource.kind == Kind::trap || resource.kind == Kind::nothing) {
    return base::hash64(target, *number + 1);
  }
  std::uint64_t state = resource.number;
  state = base::splitmix64(state) ^ (std::uint64_t{resource.host} << 8) ^
          static_cast<std::uint64_t>(resource.kind);
  return base::splitmix64(state);
}

std::uint32_t SiteServer::requests_for(std::string_view url) const {
  const auto parsed = url::Url::parse(url);
  if (!parsed) return 0;
  const auto found = attempts_.find(resource_key(parsed->host(), parsed->request_target()));
  return found == attempts_.end() ? 0 : found->second;
}

void SiteServer::log_end(LogEntry entry, bool is_whole) {
  entry.ended = async::Loop::current().now();
  entry.is_whole = is_whole;
  if (observer_) observer_(entry);
  if (options_.keeps_log) log_.push_back(std::move(entry));
}

}  // namespace gossamer::site

#include "http/client.h"

#include <algorithm>
#include <span>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "async/until.h"
#include "base/ascii.h"
#include "wire/authentication.h"

namespace gossamer::http {
namespace {

bool has_field(const std::vector<Field>& fields, std::string_view name) {
  return std::ranges::any_of(
      fields, [name](const Field& field) { return base::equals_ignoring_case(field.name, name); });
}

// Slightly more than a request needs, so that its text is allocated once.
std::size_t bytes_expected(const Request& request, std::span<const wire::RequestField> fields) {
  constexpr std::size_t kLines = 80;  // the request line's own, Host and Content-Length
  std::size_t bytes = kLines + request.method.size() + request.url.href().size();
  for (const wire::RequestField& field : fields)
    bytes += field.name.size() + field.value.size() + 4;
  return bytes + (request.body ? request.body->size() : 0);
}

bool is_dead_connection(const Error& error) {
  return error == Errc::peer_closed || error == Errc::reset || error == Errc::not_connected;
}

// Explains a deadline that passed before there was a connection.
Error explain_wait(Error error, Duration limit) {
  if (error != Errc::timed_out || !error.detail().empty()) return error;
  return {Errc::timed_out,
          "no connection within " + base::to_string(limit) + ", the limit for the whole request"};
}

// Before a request is repeated on a connection whose server did not accept it.
constexpr Duration kRefusedPause = 500ms;

ConnectionOptions connection_options_of(const ClientOptions& options) {
  ConnectionOptions made = {.deadlines = options.deadlines, .limits = {}};
  made.limits.response = options.limits;
  made.limits.stream_window = options.stream_window;
  return made;
}

}  // namespace

bool is_repeatable(std::string_view method) {
  static constexpr std::string_view kMethods[] = {"GET", "HEAD",   "OPTIONS",
                                                  "PUT", "DELETE", "TRACE"};
  return std::ranges::find(kMethods, method) != std::end(kMethods);
}

Client::Client(net::Connector& connector, std::shared_ptr<net::TlsContext> tls,
               ClientOptions options)
    : options_(std::move(options)),
      dialer_(connector, std::move(tls), connection_options_of(options_), options_.addresses),
      pool_(options_.pool) {}

Result<wire::Request> Client::head_of(const Request& request, const Proxy* proxy,
                                      std::string& authorization) {
  if (!request.url.is_http_or_https()) {
    return fail(Errc::unsupported, "only http and https URLs can be fetched");
  }
  std::vector<wire::RequestField>& fields = fields_;
  fields.clear();
  for (const Field& field : options_.fields) {
    if (!has_field(request.fields, field.name)) fields.push_back({field.name, field.value});
  }
  for (const Field& field : request.fields) fields.push_back({field.name, field.value});

  const bool is_to_proxy = proxy != nullptr && proxy->kind == ProxyKind::http &&
                           request.url.scheme_kind() == url::SchemeKind::http;
  if (is_to_proxy && !proxy->user.empty()) {
    auto written = wire::basic_authorization({proxy->user, proxy->password});
    if (!written) return fail(std::move(written).error());
    authorization = std::move(*written);
    fields.push_back({"Proxy-Authorization", authorization});
  }
  wire::Request head = {.method = request.method,
                        .url = &request.url,
                        .form = is_to_proxy ? wire::TargetForm::absolute : wire::TargetForm::origin,
                        .fields = fields};
  if (request.body) head.body_bytes = request.body->size();
  return head;
}

bool Client::may_be_shared(const Destination& to) const {
  if (to.is_tls) return options_.protocols != Protocols::http1;
  const bool is_to_proxy = to.proxy != nullptr && !to.is_through_tunnel();
  return options_.protocols == Protocols::http2_prior_knowledge && !is_to_proxy;
}

std::optional<Version> Client::version_for(const Destination& to, const std::string& key) const {
  if (!may_be_shared(to)) return Version::http1;
  if (!to.is_tls) return Version::http2;
  // A server that speaks HTTP/2 still chooses.
  return versions_.find(key, async::Loop::current().now()) == Version::http1
             ? std::optional(Version::http1)
             : std::nullopt;
}

async::Task<Result<Pool::Lease>> Client::lease_new(Pool::Turn turn, Destination to,
                                                   Instant deadline) {
  auto room = co_await pool_.make_room();
  if (!room) co_return fail(std::move(room).error());
  const std::string key = to.key(options_.identity);
  const std::optional<Version> version = version_for(to, key);
  auto connection = co_await dialer_.dial(to, version, deadline);
  if (!connection) co_return fail(std::move(connection).error());
  if (!version) {  // the server chose
    versions_.note(key, (*connection)->is_shared() ? Version::http2 : Version::http1,
                   async::Loop::current().now());
  }
  co_return pool_.adopt(std::move(turn), std::move(*room), std::move(*connection));
}

async::Task<Result<Pool::Lease>> Client::lease(std::optional<Pool::Turn> turn, Destination to,
                                               Instant deadline) {
  std::string key = to.key(options_.identity);
  if (!turn) {
    auto entered = co_await pool_.enter(key);
    if (!entered) co_return fail(std::move(entered).error());
    turn.emplace(std::move(*entered));
  }
  for (;;) {
    Pool::Lease lease = pool_.take(*turn);
    if (lease) {
      // Bytes that a server sends without a request (a farewell, or worse) must not become a
      // response.
      if (!lease.has_rested()) co_return std::move(lease);
      if (co_await lease.connection().is_quiet()) co_return std::move(lease);
      turn.emplace(std::move(lease).close());
      continue;
    }
    // Many requests to a new origin do not make a connection each: they wait until the first one
    // shows whether it can be shared. If that one fails, the next one tries.
    if (!may_be_shared(to) || version_for(to, key) == Version::http1) break;
    if (!pool_.is_dialing(*turn)) {
      const Pool::Dial dial = pool_.dial(*turn);
      co_return co_await lease_new(std::move(*turn), std::move(to), deadline);
    }
    auto dialed = co_await pool_.wait_for_dial(*turn);
    if (!dialed) co_return fail(std::move(dialed).error());
  }
  co_return co_await lease_new(std::move(*turn), std::move(to), deadline);
}

Instant Client::deadline_of(const Response::PendingRequest& pending) const {
  return base::add_saturating(pending.started, options_.deadlines.whole);
}

Pool::Lease Client::lease_now(const Request& request, Instant now) {
  write_key(request.url, options_.proxies.proxy_for(request.url), options_.identity, key_);
  return pool_.try_lease(key_, now);
}

async::Task<Result<void>> Client::find_lease(const Request& request,
                                             Response::PendingRequest& pending) {
  Destination to = Destination::of(request.url, options_.proxies.proxy_for(request.url));
  const Instant deadline = deadline_of(pending);
  std::optional<Pool::Turn> turn;
  bool is_fresh = false;  // an existing connection will not do
  if (pending.lease) {
    const bool is_shared = pending.lease.connection().is_shared();
    const bool is_refused = is_shared && pending.lease.connection().is_reusable();
    const Repeat repeat = pending.exchange->repeat();
    const bool is_over_http1 =
        repeat == Repeat::over_http1 || repeat == Repeat::over_http1_if_harmless;
    is_fresh = !is_shared || is_over_http1 || is_misdirected(pending);
    if (is_over_http1)
      versions_.note(to.key(options_.identity), Version::http1, async::Loop::current().now());
    pending.exchange.reset();
    turn.emplace(std::move(pending.lease).close());
    if (is_refused && !is_fresh) {
      auto slept = co_await async::until(deadline, [] { return async::sleep(kRefusedPause); });
      if (!slept) {
        co_return fail(explain_wait(std::move(slept).error(), options_.deadlines.whole));
      }
    }
  }
  auto leased = co_await async::with_deadline(
      deadline, is_fresh ? lease_new(std::move(*turn), std::move(to), deadline)
                         : lease(std::move(turn), std::move(to), deadline));
  if (!leased) co_return fail(explain_wait(std::move(leased).error(), options_.deadlines.whole));
  pending.lease = std::move(*leased);
  co_return {};
}

async::Task<Result<void>> Client::send_request(RequestSource& source,
                                               Response::PendingRequest& pending) {
  Request room;
  const Request& request = source.request(room);
  const Proxy* const proxy = options_.proxies.proxy_for(request.url);
  std::string authorization;
  std::string text;
  auto head = head_of(request, proxy, authorization);
  if (!head) co_return fail(std::move(head).error());
  const bool is_first = pending.exchange == nullptr;
  if (is_first) pending.lease = lease_now(request, pending.started);
  if (!is_first || !pending.lease) {
    // An invalid request needs no connection.
    if (auto written = wire::write_request(*head, text); !written) co_return written;
    text.clear();
    source.note(ExchangeStep::connecting);
    auto found = co_await find_lease(request, pending);
    if (!found) co_return found;
    head = head_of(request, proxy, authorization);  // others have used the room for fields
  }
  source.note(ExchangeStep::sending);
  pending.exchange = pending.lease.connection().begin();
  text.reserve(bytes_expected(request, head->fields));
  auto sent =
      co_await pending.exchange->send({.head = *head,
                                       .body = request.body ? as_bytes(*request.body) : Bytes(),
                                       .deadline = deadline_of(pending),
                                       .text = text});
  source.note(ExchangeStep::waiting);
  if (sent && options_.keep_request) {
    text.resize(text.find("\r\n\r\n") + 4);
    pending.request_head = std::make_unique<std::string>(std::move(text));
  }
  co_return sent;
}

bool Client::can_be_repeated(const RequestSource& source, const Response::PendingRequest& pending,
                             const Error& error) {
  if (pending.exchange == nullptr) return false;
  const Repeat repeat = pending.exchange->repeat();
  if (repeat != Repeat::over_http1_if_harmless) {
    if (pending.exchange->has_begun()) return false;
    if (repeat != Repeat::if_harmless) return true;
    if (pending.exchange->is_first() || !is_dead_connection(error)) return false;
  }
  Request room;
  return is_repeatable(source.request(room).method);
}

bool Client::is_misdirected(const Response::PendingRequest& pending) {
  constexpr int kMisdirected = 421;
  const Exchange& exchange = *pending.exchange;
  return exchange.has_head() && exchange.head().status() == kMisdirected && !exchange.is_first() &&
         pending.lease.connection().is_shared();
}

Response Client::conclude(Response::PendingRequest& pending) const {
  auto state = std::make_unique<Response::State>(std::move(pending));
  if (auto head = std::move(state->pending.request_head)) state->request_head = std::move(*head);
  state->body_bytes_max = options_.body_bytes_max;
  return Response(std::move(state));
}

// Its frame waits for the response, so it holds only what that needs, and one result for both of
// its waits. Functions and coroutines that end before the wait do the rest.
async::Task<Result<Response>> Client::send(RequestSource& source) {
  Response::PendingRequest pending = {.started = async::Loop::current().now()};
  bool is_sent = false;
  std::uint8_t repeats = 0;
  for (;;) {
    auto step =
        is_sent ? co_await Arrival(*pending.exchange) : co_await send_request(source, pending);
    if (!step && (repeats == kRepeatsMax || !can_be_repeated(source, pending, step.error()))) {
      co_return fail(std::move(step).error());
    }
    if (!step) ++repeats;
    is_sent = step.has_value();
    if (!is_sent || !pending.exchange->has_head()) continue;
    if (repeats == 0 && is_misdirected(pending)) {
      ++repeats;
      is_sent = false;
      continue;
    }
    source.note(ExchangeStep::reading);
    co_return conclude(pending);
  }
}

async::Task<Result<Response>> Client::send(const Request& request) {
  StoredRequest source(request);
  co_return co_await send(source);
}

}  // namespace gossamer::http

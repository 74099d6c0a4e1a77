#include "http/client.h"

#include <algorithm>
#include <span>
#include <utility>

#include "async/loop.h"
#include "async/timeout.h"
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

wire::RequestKind request_kind_of(std::string_view method) {
  return method == "HEAD" ? wire::RequestKind::head : wire::RequestKind::ordinary;
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
      dialer_(connector, std::move(tls),
              {.deadlines = options_.deadlines, .limits = options_.limits}, options_.addresses),
      pool_(options_.pool) {}

Result<std::string> Client::write(const Request& request, const Proxy* proxy) {
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
  std::string authorization;
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
  std::string bytes;
  bytes.reserve(bytes_expected(request, fields));
  auto written = wire::write_request(head, bytes);
  if (!written) return fail(std::move(written).error());
  if (request.body) bytes += *request.body;
  return bytes;
}

async::Task<Result<Pool::Lease>> Client::lease_new(Pool::Turn turn, Destination to,
                                                   Instant deadline) {
  auto room = co_await pool_.make_room();
  if (!room) co_return fail(std::move(room).error());
  auto connection = co_await dialer_.dial(to, deadline);
  if (!connection) co_return fail(std::move(connection).error());
  co_return pool_.adopt(std::move(turn), std::move(*room), std::move(*connection));
}

async::Task<Result<Pool::Lease>> Client::lease(Destination to, Instant deadline) {
  auto turn = co_await pool_.enter(to.key(options_.identity));
  if (!turn) co_return fail(std::move(turn).error());
  for (;;) {
    Pool::Lease lease = pool_.take(*turn);
    if (!lease) break;
    // Bytes that a server sends without a request (a farewell, or worse) must not become a
    // response.
    if (!lease.has_rested()) co_return std::move(lease);
    if (co_await lease.connection().is_quiet()) co_return std::move(lease);
    turn.emplace(std::move(lease).close());
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
  if (pending.lease) turn.emplace(std::move(pending.lease).close());
  auto leased = co_await async::with_deadline(
      deadline,
      turn ? lease_new(std::move(*turn), std::move(to), deadline) : lease(std::move(to), deadline));
  if (!leased) co_return fail(explain_wait(std::move(leased).error(), options_.deadlines.whole));
  pending.lease = std::move(*leased);
  co_return {};
}

async::Task<Result<void>> Client::send_request(RequestSource& source,
                                               Response::PendingRequest& pending) {
  Request room;
  const Request& request = source.request(room);
  auto bytes = write(request, options_.proxies.proxy_for(request.url));
  if (!bytes) co_return fail(std::move(bytes).error());
  const bool is_first = pending.exchange == nullptr;
  pending.exchange.reset();
  if (is_first) pending.lease = lease_now(request, pending.started);
  if (!is_first || !pending.lease) {
    source.note(ExchangeStep::connecting);
    auto found = co_await find_lease(request, pending);
    if (!found) co_return found;
  }
  source.note(ExchangeStep::sending);
  pending.exchange = pending.lease.connection().begin();
  auto sent = co_await pending.exchange->send({.bytes = as_bytes(*bytes),
                                               .kind = request_kind_of(request.method),
                                               .deadline = deadline_of(pending)});
  source.note(ExchangeStep::waiting);
  if (sent && options_.keep_request) {
    bytes->resize(bytes->size() - (request.body ? request.body->size() : 0));
    pending.request_head = std::make_unique<std::string>(std::move(*bytes));
  }
  co_return sent;
}

bool Client::can_be_repeated(const RequestSource& source, const Response::PendingRequest& pending,
                             const Error& error) {
  const bool was_kept = pending.exchange != nullptr && pending.lease.is_reused();
  if (!was_kept || pending.exchange->has_begun() || !is_dead_connection(error)) return false;
  Request room;
  return is_repeatable(source.request(room).method);
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
  for (;;) {
    auto step =
        is_sent ? co_await Arrival(*pending.exchange) : co_await send_request(source, pending);
    if (!step && !can_be_repeated(source, pending, step.error())) {
      co_return fail(std::move(step).error());
    }
    is_sent = step.has_value();
    if (is_sent && pending.exchange->has_head()) {
      source.note(ExchangeStep::reading);
      co_return conclude(pending);
    }
  }
}

async::Task<Result<Response>> Client::send(const Request& request) {
  StoredRequest source(request);
  co_return co_await send(source);
}

}  // namespace gossamer::http

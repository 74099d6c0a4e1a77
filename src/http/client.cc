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

Instant Client::deadline_of(const Response::Asked& asked) const {
  return base::add_saturating(asked.started, options_.deadlines.whole);
}

Pool::Lease Client::lease_now(const Request& request, Instant now) {
  write_key(request.url, options_.proxies.proxy_for(request.url), options_.identity, key_);
  return pool_.try_lease(key_, now);
}

async::Task<Result<void>> Client::find_lease(const Request& request, Response::Asked& asked) {
  Destination to = Destination::of(request.url, options_.proxies.proxy_for(request.url));
  const Instant deadline = deadline_of(asked);
  std::optional<Pool::Turn> turn;
  if (asked.lease) turn.emplace(std::move(asked.lease).close());
  auto leased = co_await async::with_deadline(
      deadline,
      turn ? lease_new(std::move(*turn), std::move(to), deadline) : lease(std::move(to), deadline));
  if (!leased) co_return fail(explain_wait(std::move(leased).error(), options_.deadlines.whole));
  asked.lease = std::move(*leased);
  co_return {};
}

async::Task<Result<void>> Client::ask(Asker& asker, Response::Asked& asked) {
  Request room;
  const Request& request = asker.request(room);
  auto bytes = write(request, options_.proxies.proxy_for(request.url));
  if (!bytes) co_return fail(std::move(bytes).error());
  const bool is_first = asked.exchange == nullptr;
  asked.exchange.reset();
  if (is_first) asked.lease = lease_now(request, asked.started);
  if (!is_first || !asked.lease) {
    asker.note(ExchangeStep::connecting);
    auto found = co_await find_lease(request, asked);
    if (!found) co_return found;
  }
  asker.note(ExchangeStep::sending);
  asked.exchange = asked.lease.connection().begin();
  auto sent = co_await asked.exchange->send({.bytes = as_bytes(*bytes),
                                             .kind = request_kind_of(request.method),
                                             .deadline = deadline_of(asked)});
  asker.note(ExchangeStep::waiting);
  if (sent && options_.keep_request) {
    bytes->resize(bytes->size() - (request.body ? request.body->size() : 0));
    asked.request_head = std::make_unique<std::string>(std::move(*bytes));
  }
  co_return sent;
}

bool Client::is_worth_another(const Asker& asker, const Response::Asked& asked,
                              const Error& error) {
  const bool was_kept = asked.exchange != nullptr && asked.lease.is_reused();
  if (!was_kept || asked.exchange->has_begun() || !is_dead_connection(error)) return false;
  Request room;
  return is_repeatable(asker.request(room).method);
}

Response Client::conclude(Response::Asked& asked) const {
  auto state = std::make_unique<Response::State>(std::move(asked));
  if (auto head = std::move(state->asked.request_head)) state->request_head = std::move(*head);
  state->body_bytes_max = options_.body_bytes_max;
  return Response(std::move(state));
}

// Its frame waits for the response, so it holds only what that needs, and one result for both of
// its waits. Functions and coroutines that end before the wait do the rest.
async::Task<Result<Response>> Client::send(Asker& asker) {
  Response::Asked asked = {.started = async::Loop::current().now()};
  bool is_sent = false;
  for (;;) {
    auto step = is_sent ? co_await Arrival(*asked.exchange) : co_await ask(asker, asked);
    if (!step && !is_worth_another(asker, asked, step.error())) {
      co_return fail(std::move(step).error());
    }
    is_sent = step.has_value();
    if (is_sent && asked.exchange->has_head()) {
      asker.note(ExchangeStep::reading);
      co_return conclude(asked);
    }
  }
}

async::Task<Result<Response>> Client::send(const Request& request) {
  RequestAsker asker(request);
  co_return co_await send(asker);
}

}  // namespace gossamer::http

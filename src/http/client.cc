#include "http/client.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/timeout.h"
#include "base/ascii.h"
#include "wire/authentication.h"
#include "wire/request_writer.h"

namespace gossamer::http {
namespace {

bool has_field(const std::vector<Field>& fields, std::string_view name) {
  return std::ranges::any_of(
      fields, [name](const Field& field) { return base::equals_ignoring_case(field.name, name); });
}

bool is_dead_connection(const Error& error) {
  return error == Errc::peer_closed || error == Errc::reset || error == Errc::not_connected;
}

// A connection that was idle for less is used without another look: between a look and the request
// there is a moment in any case.
constexpr Duration kTrustedIdle = 1ms;

// A deadline that passed before there was a connection says so.
Error explain_wait(Error error, Duration limit) {
  if (error != Errc::timed_out || !error.detail().empty()) return error;
  return {Errc::timed_out, "waiting for a connection: " + base::to_string(limit) +
                               " passed, the time for all of it"};
}

wire::RequestKind kind_of(std::string_view method) {
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

Result<std::string> Client::write(const Request& request, const Proxy* proxy) const {
  std::vector<wire::RequestField> fields;
  fields.reserve(options_.fields.size() + request.fields.size() + 1);
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
  auto bytes = wire::write_request(head);
  if (bytes && request.body) *bytes += *request.body;
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
    auto lease = pool_.take(*turn);
    if (!lease) break;
    // What a server says while nobody asks (a farewell, or worse) must not become an answer.
    if (lease->idled() < kTrustedIdle) co_return std::move(*lease);
    if (co_await lease->connection().is_quiet()) co_return std::move(*lease);
    turn.emplace(std::move(*lease).close());
  }
  co_return co_await lease_new(std::move(*turn), std::move(to), deadline);
}

Instant Client::deadline_of(const Response::State& state) const {
  return base::add_saturating(state.started, options_.deadlines.whole);
}

Result<std::unique_ptr<Response::State>> Client::begin(const Request& request) {
  if (!request.url.is_http_or_https()) {
    return fail(Errc::unsupported, "only http and https are spoken here");
  }
  const Proxy* const proxy = options_.proxies.proxy_for(request.url);
  auto bytes = write(request, proxy);
  if (!bytes) return fail(std::move(bytes).error());
  auto state = std::make_unique<Response::State>();
  state->started = async::Loop::current().now();
  state->body_bytes_max = options_.body_bytes_max;
  state->request_head = std::move(*bytes);
  auto lease =
      pool_.try_lease(Destination::of(request.url, proxy).key(options_.identity), kTrustedIdle);
  if (lease) state->lease.emplace(std::move(*lease));
  return state;
}

async::Task<Result<void>> Client::find_lease(const Request& request, Response::State& state) {
  const Proxy* const proxy = options_.proxies.proxy_for(request.url);
  const Instant deadline = deadline_of(state);
  auto leased =
      co_await async::with_deadline(deadline, lease(Destination::of(request.url, proxy), deadline));
  if (!leased) co_return fail(explain_wait(std::move(leased).error(), options_.deadlines.whole));
  state.lease.emplace(std::move(*leased));
  co_return {};
}

async::Task<Result<void>> Client::replace_lease(const Request& request, Response::State& state) {
  state.exchange.reset();
  Pool::Turn turn = std::move(*state.lease).close();
  state.lease.reset();
  const Proxy* const proxy = options_.proxies.proxy_for(request.url);
  const Instant deadline = deadline_of(state);
  auto fresh = co_await async::with_deadline(
      deadline, lease_new(std::move(turn), Destination::of(request.url, proxy), deadline));
  if (!fresh) co_return fail(explain_wait(std::move(fresh).error(), options_.deadlines.whole));
  state.lease.emplace(std::move(*fresh));
  co_return {};
}

bool Client::is_worth_another(const Request& request, const Response::State& state,
                              const Error& error) const {
  return state.lease->is_reused() && !state.exchange->has_begun() && is_dead_connection(error) &&
         is_repeatable(request.method);
}

Response Client::conclude(const Request& request, std::unique_ptr<Response::State> state) const {
  std::string& sent = state->request_head;
  if (options_.keep_request) {
    sent.resize(sent.size() - (request.body ? request.body->size() : 0));
  } else {
    sent = std::string();
  }
  return Response(std::move(state));
}

// Its frame waits for the answer, so it holds no more than two pointers; what takes more room is
// done in functions and coroutines that have ended by then.
async::Task<Result<Response>> Client::send(const Request& request) {
  auto begun = begin(request);
  if (!begun) co_return fail(std::move(begun).error());
  std::unique_ptr<Response::State>& state = *begun;
  Result<void> step;
  if (!state->lease) step = co_await find_lease(request, *state);
  while (step) {
    state->exchange = state->lease->connection().begin();
    step = co_await state->exchange->send({.bytes = as_bytes(state->request_head),
                                           .kind = kind_of(request.method),
                                           .deadline = deadline_of(*state)});
    // While we wait for the answer, the request is kept only if it may be needed again.
    if (!state->lease->is_reused() && !options_.keep_request) state->request_head = std::string();
    if (step) step = co_await state->exchange->receive_head();
    if (step) co_return conclude(request, std::move(state));
    if (!is_worth_another(request, *state, step.error())) break;
    step = co_await replace_lease(request, *state);
  }
  co_return fail(std::move(step).error());
}

}  // namespace gossamer::http

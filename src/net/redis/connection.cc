#include "redis/connection.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/timeout.h"
#include "async/until.h"
#include "redis/server_error.h"

namespace gossamer::redis {
namespace {

using async::Task;

// Connects and starts TLS. BORROWS: the connector.
Task<Result<net::Stream>> connect(Access access, Node node) {
  auto connected = co_await access.connector->connect(
      {.host = node.host, .port = node.port, .is_configured = true});
  if (!connected) co_return fail(std::move(connected).error());
  if (access.tls == nullptr) co_return net::Stream(std::move(connected->socket));
  co_return co_await net::tls_client_handshake(
      std::move(connected->socket), access.tls,
      {.server_name = node.host, .session_key = node.to_string()});
}

}  // namespace

Connection::Connection(Node node, net::Stream stream, ConnectionOptions options)
    : node_(std::move(node)),
      options_(options),
      stream_(std::move(stream)),
      reader_(options.limits) {}

Task<Result<std::shared_ptr<Connection>>> Connection::open(Access access, Node node,
                                                           async::Scope& scope,
                                                           ConnectionOptions options,
                                                           Instant deadline) {
  if (!access.credentials.user.empty() && access.credentials.password.empty()) {
    co_return fail(Errc::invalid_argument,
                   "user " + access.credentials.user + " of Redis has no password");
  }
  auto stream = co_await async::with_deadline(deadline, connect(access, node));
  if (!stream) co_return fail(std::move(stream).error(), "while connecting to " + node.to_string());
  std::shared_ptr<Connection> self(new Connection(std::move(node), std::move(*stream), options));
  scope.spawn(run(self));
  if (!access.credentials.password.empty()) {
    auto known = co_await self->authenticate(std::move(access.credentials), deadline);
    if (!known) {
      self->close();
      co_return fail(std::move(known).error());
    }
  }
  co_return self;
}

Task<Result<void>> Connection::authenticate(Credentials credentials, Instant deadline) {
  Commands commands;
  if (credentials.user.empty()) {
    commands.add({"AUTH", credentials.password});
  } else {
    commands.add({"AUTH", credentials.user, credentials.password});
  }
  auto replies = co_await call(std::move(commands), deadline);
  if (!replies) co_return fail(std::move(replies).error());
  const Reply& reply = replies->front();
  if (!reply.is_error()) co_return {};
  // "ERR AUTH <password> called without any password configured" is denied as well.
  Error error = error_of(reply.text, node_);
  if (error == Errc::unavailable) co_return fail(std::move(error));
  co_return fail(Errc::denied, node_.to_string() + " rejected the user or the password");
}

Task<void> Connection::run(std::shared_ptr<Connection> self) {
  async::Scope tasks;
  if (!self->failure_) {
    self->tasks_ = &tasks;
    tasks.spawn(self->send_all());
    tasks.spawn(self->receive_all());
  }
  auto joined = co_await tasks.join();
  self->tasks_ = nullptr;
  self->end(joined ? Error(Errc::closed) : std::move(joined).error());
  self->stream_.close();
}

Task<Result<void>> Connection::send_all() {
  for (;;) {
    // An idle connection waits here without a deadline; calls have theirs.
    if (auto woken = co_await has_outgoing_.wait(); !woken) co_return woken;
    has_outgoing_.clear();
    const std::string bytes = std::exchange(outgoing_, {});
    if (auto sent = co_await stream_.send(as_bytes(bytes)); !sent) {
      co_return fail(std::move(sent).error(), "while sending to " + node_.to_string());
    }
  }
}

Task<Result<void>> Connection::receive_all() {
  for (;;) {
    auto chunk = co_await stream_.receive();
    if (!chunk) {
      co_return fail(std::move(chunk).error(), "while receiving from " + node_.to_string());
    }
    if (chunk->end()) {
      co_return fail(Errc::peer_closed, node_.to_string() + " closed the connection");
    }
    if (auto accepted = accept(chunk->bytes()); !accepted) {
      co_return fail(std::move(accepted).error(), "in a reply of " + node_.to_string());
    }
  }
}

Result<void> Connection::accept(Bytes bytes) {
  while (!bytes.empty()) {
    const auto step = reader_.feed(bytes);
    if (!step) return fail(step.error().copy());
    bytes = bytes.subspan(step->consumed);
    if (!step->is_done) continue;
    if (auto accepted = accept(reader_.take()); !accepted) return accepted;
  }
  return {};
}

Result<void> Connection::accept(Reply reply) {
  if (reply.kind == Reply::Kind::push) return {};
  if (calls_.empty()) return fail(Errc::malformed, "it answers no command");
  Call& call = calls_.front();
  call.replies.push_back(std::move(reply));
  if (--call.left > 0) return {};
  bytes_ -= call.bytes;
  call.promise.resolve(std::move(call.replies));
  calls_.pop_front();
  has_room_.set();
  return {};
}

bool Connection::is_full_for(std::size_t bytes) const noexcept {
  if (calls_.empty()) return false;
  return calls_.size() >= options_.calls_max || bytes > options_.bytes_max ||
         bytes_ > options_.bytes_max - bytes;
}

Task<Result<std::vector<Reply>>> Connection::call(Commands commands, Instant deadline) {
  if (commands.empty()) co_return std::vector<Reply>();
  while (!failure_ && is_full_for(commands.bytes().size())) {
    has_room_.clear();
    auto woken = co_await async::until(deadline, [this] { return has_room_.wait(); });
    if (!woken) co_return fail(std::move(woken).error(), "while waiting for " + node_.to_string());
  }
  const Instant now = async::Loop::current().now();
  // The calls that waited for these replies have ended.
  if (!calls_.empty() && calls_.front().overdue <= now) end(late());
  if (failure_) co_return fail(failure_->copy());
  const Instant overdue = base::add_saturating(now, options_.reply_timeout);
  Call& added = calls_.emplace_back();
  added.left = commands.count();
  added.bytes = commands.bytes().size();
  added.overdue = overdue;
  bytes_ += added.bytes;
  outgoing_ += commands.bytes();
  has_outgoing_.set();
  async::Future<std::vector<Reply>> future = added.promise.future();
  auto replies =
      co_await async::until(std::min(deadline, overdue), [&future] { return future.wait(); });
  if (!replies && replies.error() == Errc::timed_out) {
    if (overdue <= async::Loop::current().now()) end(late());
    co_return fail(late());
  }
  co_return replies;
}

Error Connection::late() const {
  return Error(Errc::timed_out, node_.to_string() + " did not answer in time");
}

void Connection::end(Error error) {
  if (failure_) return;
  failure_ = std::move(error);
  for (Call& call : std::exchange(calls_, {})) call.promise.reject(failure_->copy());
  bytes_ = 0;
  outgoing_.clear();
  has_room_.set();
  if (tasks_ != nullptr) tasks_->cancel();
}

}  // namespace gossamer::redis

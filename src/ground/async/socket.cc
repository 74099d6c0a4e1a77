#include "async/socket.h"

#include <string>
#include <utility>

#include "async/loop.h"
#include "base/check.h"

namespace gossamer::async {

Socket::Connect Socket::connect(const Endpoint& peer, const std::optional<Endpoint>& source) {
  CHECK(!source || source->family == peer.family, "from {} to {}", source->to_string(),
        peer.to_string());
  return Connect(Loop::current().driver(), peer, source);
}

Result<Socket> Socket::Connect::await_resume() {
  auto done = outcome("connect");
  if (done) return Socket(driver(), handle());
  std::string from = source ? " from " + source->to_string() : "";
  return fail(std::move(done).error(), peer.to_string() + from);
}

Result<Lent> Socket::Receive::failed_or_end() {
  auto done = outcome("receive");
  if (!done) return fail(std::move(done).error());
  return Lent();
}

Result<void> Socket::Send::failed() { return fail(outcome("send").error()); }

Result<void> Socket::Shutdown::await_resume() {
  auto done = outcome("shutdown");
  if (!done) return fail(std::move(done).error());
  return {};
}

Result<Listener> Listener::bind(const Endpoint& endpoint, int backlog) {
  return bind(Loop::current(), endpoint, backlog);
}

Result<Listener> Listener::bind(Loop& loop, const Endpoint& endpoint, int backlog) {
  Endpoint bound = endpoint;
  auto handle = loop.driver().listen(bound, backlog);
  if (!handle) return fail(std::move(handle).error(), "listen on " + endpoint.to_string());
  return Listener(loop.driver(), *handle, bound);
}

Result<Socket> Listener::Accept::await_resume() {
  auto done = outcome("accept");
  if (!done) return fail(std::move(done).error());
  return Socket(driver(), static_cast<Handle>(*done));
}

}  // namespace gossamer::async

#include "examples/chat/chat_client.h"

#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/timeout.h"
#include "tests/simulated/sim_driver.h"

namespace gossamer::sim {

using async::Scope;
using async::Socket;
using async::Task;

namespace {

Task<Result<Socket>> connect(async::Endpoint server) { co_return co_await Socket::connect(server); }

// Returns the number of the next connection.
std::uint32_t next_connection() {
  return static_cast<SimDriver&>(async::Loop::current().driver()).connections_begun();
}

}  // namespace

ChatClient::ChatClient(ChatClientPlan plan, const async::Endpoint& server, ChatPatience patience,
                       ChatTraffic& traffic)
    : plan_(std::move(plan)), server_(server), patience_(patience), traffic_(traffic) {}

Task<Result<void>> ChatClient::take_part() {
  auto slept = co_await async::sleep(plan_.comes_after);
  if (!slept) co_return slept;
  record_.connection = next_connection();
  auto socket = co_await async::with_timeout(patience_.connect, connect(server_));
  if (!socket) co_return fail(std::move(socket).error());
  ChatWire wire(std::move(*socket), patience_, traffic_);
  Scope scope(async::OnFailure::keep_going);
  scope.spawn(hear_all(wire));
  auto spoken = co_await speak(wire);
  if (plan_.leaves_early) scope.cancel();
  auto joined = co_await scope.join();
  if (!joined) co_return joined;
  co_return spoken;
}

Task<Result<void>> ChatClient::speak(ChatWire& wire) {
  auto said = co_await wire.say(
      {.kind = ChatFrame::Kind::join, .number = plan_.room, .client = plan_.client});
  if (!said) co_return said;
  for (const ChatClientPlan::Line& line : plan_.lines) {
    auto slept = co_await async::sleep(line.pause);
    if (!slept) co_return slept;
    said = co_await wire.say({.kind = ChatFrame::Kind::line,
                              .client = plan_.client,
                              .sequence = record_.lines_said,
                              .text = line.text});
    if (!said) co_return said;
    ++record_.lines_said;
  }
  if (plan_.leaves_early) co_return {};
  co_return co_await wire.finish();
}

Task<Result<void>> ChatClient::hear_all(ChatWire& wire) {
  auto welcome = co_await wire.hear();
  if (!welcome) co_return fail(std::move(welcome).error());
  if (welcome->kind != ChatFrame::Kind::welcome) co_return fail(Errc::malformed, "welcome");
  record_.welcomed_at = welcome->number;
  for (;;) {
    auto line = co_await wire.hear();
    record_.heard_all = !line && line.error() == Errc::closed;
    if (!line) co_return fail(std::move(line).error());
    record_.heard.push_back(std::move(*line));
  }
}

}  // namespace gossamer::sim

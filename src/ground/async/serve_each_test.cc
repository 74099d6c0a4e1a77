#include "async/serve_each.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/socket.h"
#include "tests/simulated/world.h"

namespace gossamer::async {
namespace {

const Endpoint kAt = Endpoint::loopback(80);

struct Served {
  int begun = 0;
  int ended = 0;
};

// Serves until the client closes; fails for the first one. BORROWS: the counts.
Task<Result<void>> serve(Socket socket, Served& served) {
  if (served.begun++ == 0) {
    ++served.ended;
    co_return fail(Errc::malformed);
  }
  auto lent = co_await socket.receive();
  ++served.ended;
  if (!lent) co_return fail(std::move(lent).error());
  co_return {};
}

Task<Result<Served>> serve_three() {
  auto listener = Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  Served served;
  Scope scope(OnFailure::keep_going);
  auto serving = scope.spawn(
      serve_each(*listener, [&served](Socket socket) { return serve(std::move(socket), served); }));
  std::vector<Socket> clients;
  for (int i = 0; i < 3; ++i) {
    auto socket = co_await Socket::connect(kAt);
    if (socket) clients.push_back(std::move(*socket));
    static_cast<void>(co_await sleep(1s));
  }
  EXPECT_EQ(served.begun, 3) << "one that fails does not end the others";
  EXPECT_EQ(served.ended, 1);
  serving.cancel();
  static_cast<void>(co_await scope.join());
  EXPECT_EQ(serving.take().error(), Errc::cancelled);
  co_return served;
}

TEST(ServeEach, ServesEveryConnectionUntilItIsCancelled) {
  auto world = sim::World::calm();
  const auto served = world.run(serve_three());
  ASSERT_TRUE(served);
  EXPECT_EQ(served->ended, 3) << "connections end with it";
}

}  // namespace
}  // namespace gossamer::async

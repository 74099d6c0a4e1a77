#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/socket.h"
#include "base/check.h"
#include "bench/async/clients.h"

namespace gossamer::bench {

namespace {

using async::Socket;
using async::Task;

// BORROWS: load and progress, which outlive the loop.
Task<Result<void>> ask_again_and_again(const FetchLoad& load, FetchProgress& progress,
                                       async::Endpoint server) {
  auto socket = co_await Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  while (!progress.over()) {
    auto sent = co_await socket->send(as_bytes(load.request()));
    if (!sent) co_return fail(std::move(sent).error());
    AnswerScan scan;
    while (!scan.complete()) {
      auto lent = co_await socket->receive();
      if (!lent) co_return fail(std::move(lent).error());
      scan.feed(as_text(lent->bytes()));
    }
    progress.answered();
  }
  co_return {};
}

// BORROWS: load and progress, which outlive the loop.
Task<Result<void>> connect_again_and_again(const FetchLoad& load, FetchProgress& progress,
                                           std::uint64_t number) {
  for (; !progress.over(); number += static_cast<std::uint64_t>(load.connections)) {
    auto socket = co_await Socket::connect(load.server_of(number));
    if (!socket) co_return fail(std::move(socket).error());
    auto sent = co_await socket->send(as_bytes(load.request()));
    if (!sent) co_return fail(std::move(sent).error());
    AnswerScan scan;
    for (;;) {
      auto lent = co_await socket->receive();
      if (!lent) co_return fail(std::move(lent).error());
      if (lent->end()) break;
      scan.feed(as_text(lent->bytes()));
    }
    CHECK(scan.complete(), "an answer was cut off");
    progress.answered();
  }
  co_return {};
}

// BORROWS: load and progress, which outlive the loop.
Task<Result<void>> do_load(const FetchLoad& load, FetchProgress& progress) {
  async::Scope scope;
  for (int i = 0; i < load.connections; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    scope.spawn(load.keep_alive ? ask_again_and_again(load, progress, load.server_of(number))
                                : connect_again_and_again(load, progress, number));
  }
  co_return co_await scope.join();
}

}  // namespace

FetchCost fetch_with_coroutines(const FetchLoad& load, async::DriverKind driver) {
  auto made = async::make_driver(driver);
  CHECK(made.has_value(), "{}", made.error().to_string());
  async::Loop loop(std::move(*made));
  FetchProgress progress(load.warm_up, load.answers);
  const auto done = loop.run(do_load(load, progress));
  CHECK(done.has_value(), "{}", done.error().to_string());
  return progress.cost();
}

}  // namespace gossamer::bench

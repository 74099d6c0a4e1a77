#include <fmt/format.h>

#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/socket.h"
#include "base/check.h"
#include "bench/http/get_load.h"

namespace gossamer::bench {

namespace {

struct Work {
  const GetLoad& load;
  std::vector<std::string> requests;  // one for each page
  PageTurns turns;
  FetchProgress progress;
};

// BORROWS: the work, which outlives the loop.
async::Task<Result<void>> get_page_after_page(Work& work, async::Endpoint server) {
  auto socket = co_await async::Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  while (!work.progress.over()) {
    auto sent = co_await socket->send(as_bytes(work.requests[work.turns.next()]));
    if (!sent) co_return fail(std::move(sent).error());
    AnswerScan scan;
    while (!scan.complete()) {
      auto lent = co_await socket->receive();
      if (!lent) co_return fail(std::move(lent).error());
      scan.feed(as_text(lent->bytes()));
    }
    work.progress.answered();
  }
  co_return {};
}

// BORROWS: as above.
async::Task<Result<void>> run(Work& work) {
  async::Scope scope;
  for (int i = 0; i < work.load.connections; ++i) {
    scope.spawn(get_page_after_page(work, work.load.server_of(i)));
  }
  co_return co_await scope.join();
}

}  // namespace

FetchCost get_with_bare_loop(const GetLoad& load, async::DriverKind driver) {
  auto made = async::make_driver(driver);
  CHECK(made.has_value(), "{}", made.error().to_string());
  async::Loop loop(std::move(*made));
  Work work = {.load = load,
               .requests = {},
               .turns = PageTurns(load),
               .progress = FetchProgress(load.warm_up, load.answers)};
  for (const ServedPage& page : load.pages) {
    work.requests.push_back(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", page.path));
  }
  const auto done = loop.run(run(work));
  CHECK(done.has_value(), "{}", done.error().to_string());
  return work.progress.cost();
}

}  // namespace gossamer::bench

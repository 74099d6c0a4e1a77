#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "base/check.h"
#include "bench/http/get_load.h"
#include "bench/http/no_names.h"
#include "http/client.h"
#include "net/connector.h"
#include "url/url.h"

namespace gossamer::bench {

namespace {

struct FullWork {
  const GetLoad& load;
  PageTurns turns;
  FetchProgress progress;
  Duration slowest = Duration::zero();
};

// BORROWS: the work and the client, which outlive the scope this runs in.
async::Task<Result<void>> get_page(FullWork& work, http::Client& client, const ServedPage& page,
                                   const std::string& url) {
  http::Request request;
  if (request.url.assign(url) != url::UrlFailure::none) co_return fail(Errc::malformed, url);
  auto response = co_await client.send(request);
  if (!response) co_return fail(std::move(response).error());
  std::size_t bytes = 0;
  for (;;) {
    auto piece = co_await response->next();
    if (!piece) co_return fail(std::move(piece).error());
    if (piece->empty()) break;
    bytes += piece->size();
  }
  CHECK(response->status() == 200 && bytes == page.bytes, "{}: status {}, {} bytes", url,
        response->status(), bytes);
  work.slowest = std::max(work.slowest, response->facts().total);
  co_return {};
}

// BORROWS: as above.
async::Task<Result<void>> get_page_after_page(FullWork& work, http::Client& client,
                                              std::string site) {
  std::string url;
  while (!work.progress.over()) {
    const ServedPage& page = work.load.pages[work.turns.next()];
    url = site;
    url += page.path;
    auto got = co_await get_page(work, client, page, url);
    if (!got) co_return got;
    work.progress.answered();
  }
  co_return {};
}

// BORROWS: the work, which outlives the loop.
async::Task<Result<void>> run_full(FullWork& work) {
  const auto connections = static_cast<std::size_t>(work.load.connections);
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  http::ClientOptions options;
  options.pool = {.exchanges_per_origin_max = connections,
                  .connections_max = connections,
                  .idle_per_origin_max = connections};
  http::Client client(connector, nullptr, options);
  async::Scope scope;
  for (int i = 0; i < work.load.connections; ++i) {
    const std::string site = "http://" + work.load.server_of(i).to_string();
    scope.spawn(get_page_after_page(work, client, site));
  }
  auto joined = co_await scope.join();
  CHECK(client.pool().open() <= connections);
  co_return joined;
}

}  // namespace

FetchCost get_with_client(const GetLoad& load, async::DriverKind driver) {
  auto made = async::make_driver(driver);
  CHECK(made.has_value(), "{}", made.error().to_string());
  async::Loop loop(std::move(*made));
  FullWork work = {.load = load,
                   .turns = PageTurns(load),
                   .progress = FetchProgress(load.warm_up, load.answers)};
  const auto done = loop.run(run_full(work));
  CHECK(done.has_value(), "{}", done.error().to_string());
  return work.progress.cost();
}

}  // namespace gossamer::bench

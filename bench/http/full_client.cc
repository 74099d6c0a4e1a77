#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "base/check.h"
#include "bench/http/get_load.h"
#include "bench/http/no_names.h"
#include "http/client.h"
#include "http/protocols.h"
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

std::shared_ptr<net::TlsContext> tls_for(const GetLoad& load, http::Protocols protocols) {
  if (load.spoken == Spoken::plain_http1) return nullptr;
  auto context = net::TlsContext::make(
      {.trust_system = false, .ca_file = load.ca_file, .alpn = http::alpn_of(protocols)});
  CHECK(context.has_value(), "{}", context.error().to_string());
  return std::move(*context);
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
  options.protocols =
      work.load.spoken == Spoken::tls_http2 ? http::Protocols::automatic : http::Protocols::http1;
  http::Client client(connector, tls_for(work.load, options.protocols), options);
  async::Scope scope;
  for (int i = 0; i < work.load.connections; ++i) {
    scope.spawn(get_page_after_page(work, client, work.load.site_of(i)));
  }
  auto joined = co_await scope.join();
  const bool is_shared = work.load.spoken == Spoken::tls_http2;
  CHECK(client.pool().open() <= (is_shared ? work.load.servers.size() : connections));
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

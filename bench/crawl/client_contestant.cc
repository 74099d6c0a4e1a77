#include <utility>

#include "async/scope.h"
#include "base/check.h"
#include "bench/crawl/contestants.h"
#include "bench/crawl/loopback_world.h"
#include "http/client.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

struct Work {
  const PageLoad& load;
  const std::string site;
  FetchProgress progress;
  std::size_t next = 0;

  const SitePage& next_page() {
    if (next == load.pages.size()) next = 0;
    return load.pages[next++];
  }
};

// BORROWS: the work and the client, which outlive the scope this runs in.
async::Task<Result<void>> get_page(Work& work, http::Client& client, const SitePage& page) {
  http::Request request;
  const std::string url = work.site + page.path;
  if (request.url.assign(url) != url::UrlFailure::none) co_return fail(Errc::malformed, url);
  auto response = co_await client.send(request);
  if (!response) co_return fail(std::move(response).error());
  std::uint64_t bytes = 0;
  for (;;) {
    auto piece = co_await response->next();
    if (!piece) co_return fail(std::move(piece).error());
    if (piece->empty()) break;
    bytes += piece->size();
  }
  CHECK(response->status() == page.status && bytes == page.bytes, "{}: status {}, {} bytes", url,
        response->status(), bytes);
  co_return {};
}

// BORROWS: as above.
async::Task<Result<void>> get_page_after_page(Work& work, http::Client& client) {
  while (!work.progress.over()) {
    auto got = co_await get_page(work, client, work.next_page());
    if (!got) co_return got;
    work.progress.answered();
  }
  co_return {};
}

// BORROWS: the work.
async::Task<Result<void>> run(Work& work) {
  LoopbackWorld loopback(PageLoad::kAtOnce);
  async::Scope scope;
  for (int i = 0; i < PageLoad::kAtOnce; ++i) {
    scope.spawn(get_page_after_page(work, loopback.client()));
  }
  auto joined = co_await scope.join();
  loopback.client().close_idle();
  co_return joined;
}

}  // namespace

FetchCost get_with_client(const PageLoad& load, async::DriverKind driver) {
  Work work = {.load = load,
               .site = load.site(),
               .progress = FetchProgress(load.pages.size(), load.answers())};
  run_on(driver, run(work));
  return work.progress.cost();
}

}  // namespace gossamer::bench

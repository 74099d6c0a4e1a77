#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/check.h"
#include "bench/cluster/contestants.h"
#include "bench/cluster/simulated_pages.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"
#include "store/stored_work.h"

namespace gossamer::bench {
namespace {

using async::Task;

// As often as a crawl does. BORROWS: the tables.
Task<Result<void>> sync_often(BenchTables& tables) {
  for (;;) {
    if (auto slept = co_await async::sleep(1s); !slept) co_return slept;
    if (auto synced = co_await tables.sync(); !synced) co_return synced;
  }
}

// BORROWS: the fetcher.
Task<void> wait_for_pages(const PageFetcher& fetcher, std::uint64_t pages) {
  while (fetcher.pages() < pages) static_cast<void>(co_await async::sleep(1ms));
}

Task<PageCosts> fetch(std::string folder, PageCounts counts) {
  BenchTables tables(folder);
  store::StoredWork work(tables.journal(), {.clock = {.wall_start = {.seconds = 1'700'000'000}}});
  crawler::Frontier frontier(async::Loop::current(), frontier_options(), nullptr,
                             {.backlog = &work});
  LinkMaker links(counts.links);
  LinkMaker::Take take = [&](const url::Url& url, std::uint64_t fingerprint,
                             const crawler::Target& facts) {
    frontier.discover(url, fingerprint, facts);
  };
  links.make_roots(take);
  tables.commit();
  PageFetcher fetcher(frontier, tables, links, std::move(take));
  async::Scope tasks(async::OnFailure::keep_going);
  tasks.spawn(sync_often(tables));
  async::Scope fetching;
  fetching.spawn(fetcher.run());
  co_await wait_for_pages(fetcher, counts.before);
  const PageCosts begin = times_so_far();
  const std::uint64_t first = fetcher.pages();
  co_await wait_for_pages(fetcher, first + counts.measured);
  const PageCosts costs = per_page(begin, times_so_far(), fetcher.pages() - first);
  frontier.close();
  CHECK((co_await fetching.join()).has_value());
  tasks.cancel();
  static_cast<void>(co_await tasks.join());
  co_return costs;
}

}  // namespace

PageCosts fetch_with_directory(PageCounts counts) {
  return measure_in_child([&] {
    const TemporaryFolder folder;
    async::Loop loop;
    return loop.run(fetch(folder.path() + "/tables", counts));
  });
}

}  // namespace gossamer::bench

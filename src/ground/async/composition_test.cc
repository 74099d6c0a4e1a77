// The primitives together, as a crawler uses them: cancelled at every point, and under seeded
// faults.

#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/cleanup.h"
#include "async/event.h"
#include "async/future.h"
#include "async/gather.h"
#include "async/generator.h"
#include "async/queue.h"
#include "async/scope.h"
#include "async/semaphore.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/random.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::async {
namespace {

// A small crawl: pages are numbers, page n links to 2n and 2n + 1.
struct Crawl {
  Queue<int> frontier{Queue<int>::kUnbounded};
  std::set<int> seen;
  std::vector<int> visited;
  int last_page = 0;
};

Task<void> visit(Crawl& crawl, int page) {
  if (!co_await sleep(page * 1ms)) co_return;
  crawl.visited.push_back(page);
  for (const int link : {2 * page, 2 * page + 1}) {
    if (link > crawl.last_page || !crawl.seen.insert(link).second) continue;
    static_cast<void>(co_await crawl.frontier.push(link));
  }
}

Task<void> work(Crawl& crawl) {
  while (auto page = co_await crawl.frontier.pop()) co_await visit(crawl, **page);
}

Task<Result<void>> crawl_to_the_end(Crawl& crawl, int workers) {
  Scope scope;
  for (int i = 0; i < workers; ++i) scope.spawn(work(crawl));
  crawl.seen.insert(1);
  static_cast<void>(co_await crawl.frontier.push(1));
  auto joined = co_await crawl.frontier.join();
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return joined;
}

class CompositionTest : public DriverTest {};
ON_EVERY_DRIVER(CompositionTest);

TEST_P(CompositionTest, WorkersVisitEveryPageOnceAndJoinSeesTheEnd) {
  Crawl crawl;
  crawl.last_page = 20;
  EXPECT_TRUE(run(crawl_to_the_end(crawl, 3)).has_value());
  std::ranges::sort(crawl.visited);
  ASSERT_EQ(crawl.visited.size(), 20u);
  for (int page = 1; page <= 20; ++page) {
    EXPECT_EQ(crawl.visited[static_cast<std::size_t>(page - 1)], page);
  }
  EXPECT_EQ(crawl.frontier.unfinished(), 0u);
}

Task<void> small_crawl() {
  Crawl crawl;
  crawl.last_page = 15;
  auto done = co_await crawl_to_the_end(crawl, 3);
  if (done) EXPECT_EQ(crawl.visited.size(), 15u);
  EXPECT_LE(crawl.visited.size(), 15u);
  // The remaining items were never claimed: every claim was returned.
  EXPECT_EQ(crawl.frontier.unfinished(), crawl.frontier.size());
}

TEST(CompositionCutTest, AWorkerQueueEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(small_crawl), 30u);
}

AsyncGenerator<int> pages(int count) {
  for (int i = 0; i < count; ++i) {
    if (!co_await sleep(1s)) co_return;
    co_yield i;
  }
}

// One generator, a bounded queue, and two consumers with a concurrency limit.
Task<Result<void>> bounded_pipeline() {
  Queue<int> queue(2);
  Semaphore limit(1);
  Scope scope;
  scope.spawn([](Queue<int>& out) -> Task<void> {
    auto source = pages(5);
    while (auto page = co_await source.next()) {
      if (!co_await out.push(*page)) break;
    }
    out.close();
  }(queue));
  for (int i = 0; i < 2; ++i) {
    scope.spawn([](Queue<int>& in, Semaphore& permits) -> Task<void> {
      while (auto page = co_await in.pop()) {
        auto permit = co_await permits.acquire();
        if (!permit || !co_await sleep(3s)) co_return;
      }
    }(queue, limit));
  }
  co_return co_await scope.join();
}

TEST(CompositionCutTest, ABoundedPipelineEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(bounded_pipeline), 20u);
}

// Many callers want a value, one loads it, all get it; the load is cleaned up afterwards.
struct Cache {
  Scope loads{OnFailure::keep_going};
  std::unique_ptr<SharedFuture<std::string>> entry;
  int loading = 0;
  int loaded = 0;
};

Task<void> load(Cache& cache, Promise<std::string> promise) {
  auto text = co_await with_cleanup(
      [](Cache& owner) -> Task<Result<std::string>> {
        ++owner.loading;
        if (auto slept = co_await sleep(2s); !slept) co_return fail(std::move(slept).error());
        co_return "rules";
      }(cache),
      [](Cache& owner) -> Task<void> {
        static_cast<void>(co_await sleep(1s));
        --owner.loading;
      }(cache));
  if (!text) co_return promise.reject(std::move(text).error());
  ++cache.loaded;
  promise.resolve(std::move(*text));
}

Task<Result<std::string>> ask(Cache& cache) {
  if (cache.entry == nullptr) {
    Promise<std::string> promise;
    cache.entry = std::make_unique<SharedFuture<std::string>>(promise.shared_future());
    cache.loads.spawn(load(cache, std::move(promise)));
  }
  co_return co_await *cache.entry;
}

Task<void> many_ask() {
  Cache cache;
  std::vector<Task<Result<std::string>>> questions;
  for (int i = 0; i < 4; ++i) questions.push_back(ask(cache));
  for (auto& answer : co_await gather(std::move(questions))) {
    if (answer) EXPECT_EQ(*answer, "rules");
  }
  static_cast<void>(co_await cache.loads.join());
  EXPECT_EQ(cache.loading, 0) << "the clean-up ran on every path";
  EXPECT_LE(cache.loaded, 1);
}

TEST(CompositionCutTest, ASingleFlightEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(many_ask), 8u);
}

// A random program of all primitives: for every seed, everything ends and nothing is left.
struct Playground {
  explicit Playground(std::uint64_t seed) : random(seed) {}
  base::Random random;
  Queue<int> queue{3};
  Semaphore semaphore{2};
  Event event;
};

Task<Result<void>> play(Playground& ground, int depth);

// Every wait has a deadline: the other players may leave at any time.
Task<Result<void>> play_limited(Playground& ground, int depth) {
  const Duration limit = ground.random.below(40) * 1ms;
  co_return co_await with_timeout(limit, play(ground, depth));
}

Task<Result<void>> wait_a_little(Playground& ground) {
  switch (ground.random.below(5)) {
    case 0: co_return co_await sleep(ground.random.below(50) * 1ms);
    case 1: co_return co_await ground.queue.push(1);
    case 2: {
      auto claim = co_await ground.queue.pop();
      if (!claim) co_return fail(std::move(claim).error());
      co_return co_await sleep(1ms);
    }
    case 3: {
      auto permit = co_await ground.semaphore.acquire();
      if (!permit) co_return fail(std::move(permit).error());
      co_return co_await sleep(5ms);
    }
    default:
      if (ground.random.chance(0.5)) ground.event.clear();
      ground.event.set();
      co_return co_await ground.event.wait();
  }
}

Task<Result<void>> play(Playground& ground, int depth) {
  for (int round = 0; round < 3; ++round) {
    if (depth == 0) {
      static_cast<void>(co_await wait_a_little(ground));
    } else if (ground.random.chance(0.2)) {
      static_cast<void>(co_await shielded(play_limited(ground, depth - 1)));
    } else if (ground.random.chance(0.4)) {
      static_cast<void>(co_await play_limited(ground, depth - 1));
    } else {
      Scope scope(ground.random.chance(0.5) ? OnFailure::keep_going : OnFailure::cancel_siblings);
      const std::uint64_t children = 1 + ground.random.below(3);
      for (std::uint64_t i = 0; i < children; ++i) scope.spawn(play(ground, depth - 1));
      static_cast<void>(co_await scope.join());
    }
  }
  co_return co_await yield_now();
}

Task<void> play_in_time(std::uint64_t seed) {
  Playground ground(seed);
  static_cast<void>(co_await with_timeout(1min, play(ground, 4)));
  EXPECT_EQ(ground.semaphore.available(), 2u);
  EXPECT_EQ(ground.queue.unfinished(), ground.queue.size());
}

TEST(CompositionRandomTest, EndsAndLeavesNothing) {
  constexpr std::uint64_t kSeeds = kSanitized ? 20 : 200;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto make = [&] { return play_in_time(seed); };
    const auto report = sim::run_tortured(make, sim::calm_options(seed), {});
    base::Random cuts(seed);
    for (int i = 0; i < 5; ++i) {
      sim::run_tortured(make, sim::calm_options(seed),
                        {.cancel_at_step = cuts.below(report.steps)});
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace gossamer::async

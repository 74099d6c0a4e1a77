// Pages of many shapes, each made to be dear to read: what they cost grows with their size and no
// faster, and the loop has its turn in between.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/page_shapes.h>
#include <tests/support/processor_time.h>
#include <tests/support/suite.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "engine/page/page_links.h"

namespace gossamer::crawler {
namespace {

struct Cost {
  std::size_t steps = 0;
  Duration all = Duration::zero();
};

// What a crawl costs in which there is such a page.
Cost cost_of(const PageShape& shape, std::size_t bytes) {
  TestWeb web;
  web.page(kRoot, {}).at(shape.url, Reply{.type = shape.type, .body = shape.body(bytes)});
  Options options = from_root();
  options.scope.assets = true;
  options.reads_sitemaps = shape.url != kRoot;
  options.keeps_captures = options.keeps_outlinks = true;
  options.pages_max = options.reads_sitemaps ? 2 : 1;
  web.client_options.keep_request = true;
  sim::World world(sim::calm_options());
  const async::Loop::Running running(world.loop());
  async::Scope root(world.loop(), async::OnFailure::keep_going);
  auto task = root.spawn(web.run(std::move(options)));
  Cost cost;
  while (!task.done()) {
    const Duration before = processor_time();
    CHECK(world.loop().step());
    cost.all += processor_time() - before;
    ++cost.steps;
  }
  const Crawled crawled = task.take();
  EXPECT_FALSE(crawled.records.empty()) << shape.name;
  return cost;
}

constexpr std::size_t kPageBytes = 64 * 1024;

TEST(PageSteps, CostTwiceAsMuchForTwiceTheSize) {
  const std::vector<PageShape> shapes = page_shapes();
  EXPECT_GE(shapes.size(), 60u);
  // Sanitizers make all of them slow in the same way.
  const std::size_t stride = support::kIsSanitized ? 4 : 1;
  for (std::size_t i = 0; i < shapes.size(); i += stride) {
    const PageShape& shape = shapes[i];
    std::map<std::size_t, std::size_t> steps;
    const auto cost = [&](std::size_t bytes) {
      const Cost found = cost_of(shape, bytes);
      steps[bytes] = found.steps;
      return found.all;
    };
    EXPECT_LT(growth(kPageBytes, cost), 3) << shape.name;
    EXPECT_LE(steps[2 * kPageBytes], 2 * steps[kPageBytes] + 20) << shape.name;
  }
}

TEST(PageSteps, IgnoreABaseThatIsTooLong) {
  TestWeb web;
  const std::string long_base = "/" + std::string(ScopeOptions().url_bytes_max, 'x') + "/";
  web.at(kRoot, Reply{.body = "<base href='" + long_base + "'><a href=a>"});
  web.at("http://a.example/b/", Reply{.body = "<base href=/short/><a href=b>"});
  Options options = from_root();
  options.roots.emplace_back("http://a.example/b/");
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/a"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/short/b"), 1u);
}

// Between two steps a signal, a timer or another page has its turn.
TEST(PageSteps, HaveABoundedNumberOfLinks) {
  TestWeb web;
  web.at(kRoot, page_of_links(40'000));
  Options options = from_root();
  options.pages_max = 1;
  std::size_t links = 0;
  options.hooks.see_link = [&](const FoundLink&) { ++links; };
  sim::World world(sim::calm_options());
  const async::Loop::Running running(world.loop());
  async::Scope root(world.loop(), async::OnFailure::keep_going);
  auto task = root.spawn(web.run(std::move(options)));
  std::size_t most = 0;
  while (!task.done()) {
    const std::size_t before = links;
    CHECK(world.loop().step());
    most = std::max(most, links - before);
  }
  static_cast<void>(task.take());
  EXPECT_EQ(links, 40'000u);
  EXPECT_LE(most, PageLinks::kStepWork / PageLinks::kLinkWork);
}

TEST(PageSteps, EndInTheMiddleOfAPageWhenTheCrawlIsAborted) {
  TestWeb web;
  web.page(kRoot, {"/first", "/many"}).at("http://a.example/many", page_of_links(40'000));
  web.page("http://a.example/first", {});
  Engine* engine = nullptr;
  web.on_page = [&](Engine& running) { engine = &running; };
  Options options = from_root();
  std::size_t links = 0;
  options.hooks.see_link = [&](const FoundLink&) {
    if (++links == 100) engine->abort();
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::aborted);
  EXPECT_LE(links, PageLinks::kStepWork / PageLinks::kLinkWork);
}

}  // namespace
}  // namespace gossamer::crawler

// How URLs end in a job whose hosts fail: each with its record, once, whenever the process dies.

#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>
#include <tests/support/test_web.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "crawl/crawl.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"
#include "store/kept_work.h"
#include "store/page_row.h"
#include "store/page_table.h"
#include "tests/sim/job_process.h"

namespace gossamer::sim {
namespace {

class DroppedPages final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page /*page*/) override { co_return {}; }
};

bool has_waiting(const store::Tables& tables) {
  bool is_there = false;
  EXPECT_TRUE(tables.scan(store::Table::waiting, {}, [&](auto, auto) {
    is_there = true;
    return false;
  }));
  return is_there;
}

// Crawls into tables. BORROWS: both.
async::Task<void> crawl_into(crawler::World& world, store::SimulatedTables& tables,
                             std::vector<std::string> roots, std::uint32_t failures_max) {
  crawler::Options options;
  options.politeness.failures_max = failures_max;
  options.politeness.outage_max = Duration::zero();
  options.roots = std::move(roots);
  options.tries_max = 2;
  store::Ledger ledger(tables, store::Durability::group);
  store::KeptWork work(ledger, {.wall_start = world.wall_start, .loop_start = world.loop_start});
  DroppedPages nowhere;
  store::PageTable pages(ledger, options.identity, nowhere);
  crawler::Frontier frontier(async::Loop::current(), crawler::frontier_options(options, world),
                             nullptr, &work);
  wire::CookieJar cookies;
  crawler::Engine engine(world, std::move(options), frontier, pages, cookies);
  EXPECT_TRUE(co_await engine.run());
  ledger.commit();
}

// Some of it waits when the host is given up, some is in flight, and some is found later.
TEST(Job, AllOfAHostThatIsGivenUpIsFetchedByAnotherProcess) {
  crawler::TestWeb web;
  web.page("http://a.test/", {"/1", "/2", "/3", "/4", "/5", "/6"});
  web.at("http://b.test/", {.body = "<a href=http://a.test/late>", .delay = 10s});
  web.otherwise("a.test", {.body = "leaf"});
  std::optional<Instant> begun;
  web.decide = [&](const std::string& url, Instant now) -> std::optional<crawler::Reply> {
    if (!begun) begun = now;
    const std::string_view page = "http://a.test/";
    const bool is_down =
        url.starts_with(page) && url.size() == page.size() + 1 && now - *begun < 1h;
    if (!is_down) return std::nullopt;
    return crawler::Reply{
        .body = "x", .delay = std::chrono::milliseconds(100 * (url.back() - '0')), .is_cut = true};
  };
  store::SimulatedTables tables;
  const auto crawl_once = [&] {
    return web.visit([&](crawler::World& world) {
      return crawl_into(world, tables, {"http://a.test/", "http://b.test/"}, 1);
    });
  };
  EXPECT_TRUE(crawl_once().problems.empty());
  EXPECT_EQ(pages_in(tables), (std::set<std::string>{"http://a.test/", "http://b.test/"}));
  EXPECT_TRUE(has_waiting(tables));
  begun = Instant(Duration(-2h));
  tables.reopen();
  EXPECT_TRUE(crawl_once().problems.empty());
  EXPECT_EQ(pages_in(tables).size(), 9u);
  EXPECT_FALSE(has_waiting(tables));
}

TEST(Job, AHostThatAskedForALongPauseIsLeftUntilThen) {
  crawler::TestWeb web;
  web.page("http://a.test/", {"/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"});
  web.at("http://a.test/robots.txt", {.status = 404});
  web.otherwise("a.test", {.status = 503, .fields = "Retry-After: 7200\r\n"});
  store::SimulatedTables tables;
  const auto crawl_once = [&] {
    return web.visit(
        [&](crawler::World& world) { return crawl_into(world, tables, {"http://a.test/"}, 5); });
  };
  EXPECT_TRUE(crawl_once().problems.empty());
  EXPECT_GT(pages_in(tables).size(), 1u) << "the answers that asked for the pause are kept";
  EXPECT_TRUE(has_waiting(tables));
  tables.reopen();
  const auto second = crawl_once();
  EXPECT_TRUE(second.heard.empty()) << "it is too early";
  EXPECT_LT(second.took, 1min);
  EXPECT_TRUE(has_waiting(tables));
}

TEST(Job, RedirectsToAHostThatIsGivenUpEndOnce) {
  crawler::TestWeb web;
  web.page("http://a.test/", {"/1", "/2", "/3", "/4"});
  for (const char* const n : {"1", "2", "3"}) {
    web.at(std::string("http://a.test/") + n,
           crawler::redirect_to(std::string("http://dead.test/") + n));
  }
  web.page("http://a.test/4", {});
  store::SimulatedTables tables;
  const auto crawled = web.visit([&](crawler::World& world) {
    return crawl_into(world, tables, {"http://a.test/", "http://dead.test/"}, 5);
  });
  EXPECT_TRUE(crawled.problems.empty());
  EXPECT_EQ(pages_in(tables).size(), 9u);  // each once, those of the dead host as failures
  EXPECT_FALSE(has_waiting(tables));
}

// The page that leads there may have ended long before its link has: the link is kept, too.
TEST(Job, LinksToAHostThatIsGivenUpHaveTheirRecordsWheneverTheProcessDies) {
  crawler::TestWeb web;
  web.page("http://a.test/", {"/1"});
  web.page("http://a.test/1", {"http://dead.test/1", "http://dead.test/2", "/2"});
  web.page("http://a.test/2", {"http://dead.test/3"});
  const std::vector<std::string> roots = {"http://a.test/", "http://dead.test/"};
  store::SimulatedTables whole;
  web.visit([&](crawler::World& world) { return crawl_into(world, whole, roots, 1); });
  const std::set<std::string> pages = pages_in(whole);
  ASSERT_TRUE(pages.contains("http://dead.test/3"));
  for (std::uint64_t last = 1; last < whole.writes(); ++last) {
    store::SimulatedTables tables;
    tables.freeze_after(last);
    web.visit([&](crawler::World& world) { return crawl_into(world, tables, roots, 1); });
    tables.reopen();
    web.visit([&](crawler::World& world) { return crawl_into(world, tables, roots, 1); });
    EXPECT_EQ(pages_in(tables), pages) << "it died after write " << last;
    EXPECT_FALSE(has_waiting(tables)) << "it died after write " << last;
  }
}

}  // namespace
}  // namespace gossamer::sim

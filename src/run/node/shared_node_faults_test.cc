// Tests what a node of a shared crawl does when Redis, its lease or its disk fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "async/task.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "cluster/shared_crawl.h"
#include "node/cluster_trouble.h"
#include "node/link_outbox.h"
#include "node/shared_node.h"
#include "record/skip_reason.h"
#include "tests/support/node_scene.h"

namespace gossamer::node {
namespace {

using async::Task;
using crawler::EndReason;
using crawler::SkipReason;
using testing::Contains;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

Task<void> silence(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(5);
  scene.servers->pause(0, true);
  scene.servers->pause(1, true);
  co_await scene.until([&] { return !node.process.said.empty(); }, 3min);
  static_cast<void>(co_await async::sleep(2min));
  EXPECT_TRUE(node.is_running());
  std::size_t waits = 0;
  for (const std::string& text : node.process.said) {
    waits += text.starts_with("the shared crawl waits: ") ? 1 : 0;
  }
  EXPECT_EQ(waits, 1u) << "it says so once";
  scene.servers->pause(0, false);
  scene.servers->pause(1, false);
  co_await scene.until_over();
  EXPECT_THAT(node.process.said, Contains("the shared crawl resumes"));
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, WaitsWhileRedisDoesNotAnswer) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  const std::vector<std::string> all = three_hosts(scene, 30, 300ms);
  scene.run(silence);
  std::vector<std::string> fetched = scene.fetched();
  fetched.erase(std::unique(fetched.begin(), fetched.end()), fetched.end());
  EXPECT_THAT(fetched, ElementsAreArray(all));
}

// BORROWS: the scene.
Task<void> have_troubles(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until([&node] { return node.is_running(); });
  std::vector<std::string> said;
  ClusterTrouble trouble("m");
  trouble.join_in(node.engine(), [&said](const std::string& text) { said.push_back(text); });
  using Work = ClusterTrouble::Work;
  const Error silence(Errc::timed_out, "a server");
  EXPECT_TRUE(trouble.bear(Work::renewal, silence));
  EXPECT_THAT(said, ElementsAre(StartsWith("a part of the shared crawl waits: ")));
  EXPECT_TRUE(trouble.bear(Work::exchange, Error(Errc::no_space, "Redis is full")));
  EXPECT_THAT(said, SizeIs(1)) << "it is known";
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(trouble.bear(Work::beat, silence));
  EXPECT_THAT(said, SizeIs(2));
  EXPECT_THAT(said.back(), StartsWith("the shared crawl waits: "));
  EXPECT_FALSE(trouble.bear(Work::count, Error(Errc::cancelled, ""))) << "the node ends";
  for (const Work work : {Work::renewal, Work::count, Work::exchange}) trouble.recover(work);
  EXPECT_THAT(said, SizeIs(2)) << "it still has no contact";
  for (int i = 0; i < 2; ++i) trouble.recover(Work::beat);
  EXPECT_THAT(said, SizeIs(3));
  EXPECT_EQ(said.back(), "the shared crawl resumes");
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished) << "no trouble has ended it";
}

TEST(SharedNode, ATroubleIsSaidOnceUntilItIsOver) {
  NodeScene scene({"http://a.example/"});
  three_hosts(scene, 5);
  scene.run(have_troubles);
}

Task<void> lose_crawl(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(5);
  co_await scene.ask("G{m}", {"DEL", "G{m}"});
  co_await scene.until_over(1min);
  EXPECT_EQ(node.end, EndReason::cluster_failed);
  EXPECT_TRUE(node.failure.has_value());
  if (node.failure) {
    EXPECT_THAT(node.failure->to_string(),
                HasSubstr("Redis has lost the shared crawl m, but this node keeps the pages"));
  }
  EXPECT_FALSE(node.left.has_value()) << "there is nothing to leave";
  EXPECT_THAT(node.process.said, IsEmpty());
}

TEST(SharedNode, EndsIfRedisHasLostTheCrawl) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  three_hosts(scene, 30, 300ms);
  scene.run(lose_crawl);
}

Task<void> lose_lease(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(8);
  const std::string key = partition_of_host("a.example");
  // The lease expires, and another node takes the host.
  co_await scene.ask(key, {"ZADD", "R" + key.substr(1), "0", "a.example"});
  cluster::SharedFrontier other(
      scene.client(), {.crawl = "m", .partitions = scene.options.partitions}, [] { return 9; });
  EXPECT_TRUE(co_await other.prepare("identity", cluster::SharedFrontier::Prepare::verify));
  const auto partition = partition_of("a.example", scene.options.partitions);
  auto taken = co_await other.lease({.partitions = {partition}});
  EXPECT_TRUE(taken && taken->size() == 1);
  if (!taken || taken->empty()) co_return;
  co_await scene.until([&] { return !node.process.repeated.empty(); }, 1min);
  static_cast<void>(co_await async::sleep(5s));
  const std::size_t before = node.sink.urls.size();
  static_cast<void>(co_await async::sleep(10s));
  EXPECT_EQ(node.sink.urls.size(), before) << "it fetches nothing more of that host";
  for (const store::RepeatedPage& page : node.process.repeated) {
    EXPECT_TRUE(page.url.starts_with("http://a.example/")) << page.url;
    EXPECT_THAT(node.sink.urls, Contains(page.url)) << "only pages that it has fetched";
    EXPECT_GT(page.lease_end.seconds, 1'700'000'000);
  }
  // The other node gives the host back.
  std::vector<cluster::Completion> back;
  const cluster::LeasedHost& host = taken->front();
  back.push_back({.partition = partition,
                  .host = host.host,
                  .token = host.token,
                  .position = host.position,
                  .state = host.state});
  EXPECT_TRUE((co_await other.complete(std::move(back))).front().has_value());
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, PagesOfALeaseThatExpiredAreMarkedAsRepeated) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  scene.web.at("http://a.example/", crawler::page_of_links(60));
  scene.web.otherwise("a.example", {.body = "x", .delay = 300ms});
  scene.run(lose_lease);
}

Task<void> fail_to_sync(NodeScene& scene) {
  SceneNode& node = scene.start();
  bool is_full = false;
  node.process.on_sync = [&is_full]() -> Result<void> {
    if (is_full) return fail(Errc::no_space, "the disk");
    return {};
  };
  co_await scene.until_fetched(5);
  is_full = true;
  static_cast<void>(co_await async::sleep(1s));
  const std::uint64_t ended = scene.sums().ended;
  static_cast<void>(co_await async::sleep(10s));
  EXPECT_EQ(scene.sums().ended, ended) << "pages that are not on the disk do not end";
  EXPECT_TRUE(node.is_running()) << "the owner of the disk decides";
  is_full = false;
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
  EXPECT_EQ(scene.sums().ended, scene.sums().found);
}

TEST(SharedNode, PagesEndInRedisOnlyWhenTheyAreDurable) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  const std::vector<std::string> all = three_hosts(scene, 40, 300ms);
  scene.run(fail_to_sync);
  EXPECT_THAT(scene.fetched(), ElementsAreArray(all));
}

Task<void> freeze_links(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(1);
  const std::string key = partition_of_host("b.example");
  EXPECT_NE(key, partition_of_host("a.example"));
  co_await scene.ask(key, {"HSET", key, "f", "1"});
  static_cast<void>(co_await async::sleep(40s));
  EXPECT_EQ(scene.sums().leased, 1u) << "a host whose links wait is renewed";
  EXPECT_LE(scene.sums().ended, 1u) << "a page with links that wait does not end";
  co_await scene.ask(key, {"HDEL", key, "f"});
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
  EXPECT_THAT(node.process.repeated, IsEmpty());
}

TEST(SharedNode, APageEndsAfterItsLinksWereAdded) {
  NodeScene scene({"http://a.example/"});
  scene.settings.scope.kind = crawler::ScopeKind::any;
  crawler::Reply slow = crawler::links_to({"http://b.example/"});
  slow.delay = 3s;
  scene.web.page("http://a.example/", {"/slow"});
  scene.web.at("http://a.example/slow", slow);
  scene.web.page("http://b.example/", {});
  scene.run(freeze_links);
  EXPECT_THAT(scene.fetched(),
              ElementsAre("http://a.example/", "http://a.example/slow", "http://b.example/"));
}

// --- leases

// Roots of one host.
std::vector<std::string> some_roots(int count) {
  std::vector<std::string> roots;
  for (int i = 0; i < count; ++i) roots.push_back("http://a.example/" + std::to_string(i));
  return roots;
}

// Each page takes this long, one after the other.
void slow_down(NodeScene& scene, Duration delay) {
  scene.settings.politeness.own_concurrency = 1;
  scene.web.otherwise("a.example", {.body = "x", .delay = delay});
}

Task<void> outlive_lease(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until([&] { return node.is_running() && node.engine().in_flight() > 0; });
  scene.servers->pause(0, true);
  scene.servers->pause(1, true);
  static_cast<void>(co_await async::sleep(28s));
  const std::size_t fetched = node.sink.urls.size();
  static_cast<void>(co_await async::sleep(2min));
  EXPECT_LE(node.sink.urls.size(), fetched + 1) << "another node may have the host";
  scene.servers->pause(0, false);
  scene.servers->pause(1, false);
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, StartsNoRequestAfterTheEndOfItsLease) {
  NodeScene scene(some_roots(12));
  slow_down(scene, 7s);
  scene.run(outlive_lease);
}

Task<void> crawl_alone(NodeScene& scene) {
  scene.start();
  co_await scene.until_over();
}

TEST(SharedNode, ALeaseIsRenewedWhileAPageTakesLonger) {
  NodeScene scene(some_roots(5));
  slow_down(scene, 20077ms);
  scene.options.ttl = 5s;
  scene.run(crawl_alone);
  std::vector<Instant> starts;
  for (const crawler::Heard& heard : scene.crawled.heard) {
    if (!heard.url.ends_with("/robots.txt")) starts.push_back(heard.at);
  }
  ASSERT_EQ(starts.size(), 5u);
  for (std::size_t i = 1; i < starts.size(); ++i) {
    EXPECT_LT(starts[i] - starts[i - 1], 20077ms + 50ms) << "the next request starts immediately";
  }
}

Task<void> outlive_a_slow_page(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(1);
  static_cast<void>(co_await async::sleep(18s));
  EXPECT_THAT(node.sink.urls, Not(Contains("http://a.example/0"))) << "it still takes";
  EXPECT_GE(node.sink.urls.size(), 16u) << "the others do not wait for it";
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
}

// The slow page is the first, so nothing is completed until it ends.
TEST(SharedNode, ARenewedLeaseAllowsRequestsAsACompletionDoes) {
  NodeScene scene(some_roots(40));
  slow_down(scene, 1s);
  scene.settings.politeness.own_concurrency = 2;
  scene.web.at("http://a.example/0", {.body = "x", .delay = 25s});
  scene.options.ttl = 5s;
  scene.run(outlive_a_slow_page);
}

Task<void> freeze_completions(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(100);
  const std::string key = partition_of_host("a.example");
  co_await scene.ask(key, {"HSET", key, "f", "1"});
  const std::size_t before = node.sink.urls.size();
  static_cast<void>(co_await async::sleep(5min));
  EXPECT_LE(node.sink.urls.size() - before, 256u) << "they would be repeated if the node died";
  const std::size_t held = node.sink.urls.size();
  static_cast<void>(co_await async::sleep(1min));
  EXPECT_EQ(node.sink.urls.size(), held);
  co_await scene.ask(key, {"HDEL", key, "f"});
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
  EXPECT_THAT(node.process.repeated, IsEmpty());
}

TEST(SharedNode, FewPagesAreFetchedWhileCompletionsFail) {
  NodeScene scene({"http://a.example/"});
  scene.options.ttl = 1h;
  scene.settings.politeness.own_concurrency = 8;
  scene.web.at("http://a.example/", crawler::page_of_links(900));
  scene.web.otherwise("a.example", {.body = "x", .delay = 200ms});
  scene.run(freeze_completions);
  EXPECT_EQ(scene.fetched().size(), 901u);
}

Task<void> silence_a_busy_node(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(100);
  EXPECT_EQ(node.node().follow_up(4711), 0u) << "an unknown ticket needs no other";
  scene.servers->pause(0, true);
  scene.servers->pause(1, true);
  const std::size_t before = node.sink.urls.size();
  static_cast<void>(co_await async::sleep(3min));
  EXPECT_LE(node.sink.urls.size() - before, 300u) << "they would be repeated if the node died";
  scene.servers->pause(0, false);
  scene.servers->pause(1, false);
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, FewPagesAreFetchedWhileRedisIsSilent) {
  NodeScene scene({"http://a.example/"});
  scene.options.ttl = 1h;
  scene.options.lost_after = 2h;
  scene.settings.politeness.own_concurrency = 8;
  scene.web.at("http://a.example/", crawler::page_of_links(900));
  scene.web.otherwise("a.example", {.body = "x", .delay = 30ms});
  scene.run(silence_a_busy_node);
  EXPECT_EQ(scene.fetched().size(), 901u);
}

TEST(SharedNode, ANodeThatKeepsUpIsNotHeldUp) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  scene.web.at("http://a.example/", crawler::page_of_links(300));
  scene.web.otherwise("a.example", {.body = "x", .delay = 10ms});
  scene.run(crawl_alone);
  EXPECT_LT(scene.crawled.took, 30s);
}

Task<void> hold_up_one_host(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(40);
  const std::string key = partition_of_host("a.example");
  EXPECT_NE(key, partition_of_host("b.example"));
  co_await scene.ask(key, {"HSET", key, "f", "1"});
  const auto pages_of = [&node](std::string_view host) {
    return std::ranges::count_if(node.sink.urls, [host](const std::string& url) {
      return url.starts_with("http://" + std::string(host));
    });
  };
  co_await scene.until([&] { return pages_of("b.example") == 301; });
  EXPECT_LT(pages_of("a.example"), 250) << "others continue meanwhile";
  EXPECT_THAT(node.process.said, Contains(HasSubstr("a part of the shared crawl waits: ")));
  co_await scene.ask(key, {"HDEL", key, "f"});
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
  EXPECT_THAT(node.process.said, Contains("the shared crawl resumes"));
}

TEST(SharedNode, AHostThatWaitsForRedisLeavesRoomForOthers) {
  NodeScene scene({"http://a.example/", "http://b.example/"});
  scene.options.ttl = 1h;
  scene.settings.politeness.own_concurrency = 4;
  for (const std::string host : {"a.example", "b.example"}) {
    scene.web.at("http://" + host + "/", crawler::page_of_links(300));
    scene.web.otherwise(host, {.body = "x", .delay = 200ms});
  }
  scene.run(hold_up_one_host);
  EXPECT_EQ(scene.fetched().size(), 602u);
}

Task<void> hold_up_many_hosts(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(60);
  const std::string key = partition_of_host("a.example");
  co_await scene.ask(key, {"HSET", key, "f", "1"});
  const auto pages_of = [&node](std::string_view site) {
    return std::ranges::count_if(node.sink.urls,
                                 [site](const std::string& url) { return url.contains(site); });
  };
  co_await scene.until([&] { return pages_of("b.example") == 301; });
  const auto held = pages_of(".a.example");
  EXPECT_LT(held, 256) << "they would be repeated if the node died";
  static_cast<void>(co_await async::sleep(1min));
  EXPECT_EQ(pages_of(".a.example"), held);
  co_await scene.ask(key, {"HDEL", key, "f"});
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
  EXPECT_THAT(node.process.repeated, IsEmpty());
}

TEST(SharedNode, ManyHostsThatWaitForRedisLeaveRoomForOthers) {
  std::vector<std::string> roots = {"http://b.example/"};
  for (int i = 0; i < 4; ++i) roots.push_back("http://" + std::to_string(i) + ".a.example/");
  NodeScene scene(roots);
  scene.options.ttl = 1h;
  scene.settings.politeness.own_concurrency = 1;
  for (const std::string& root : roots) {
    const bool is_other = root == roots.front();
    scene.web.at(root, crawler::page_of_links(is_other ? 300 : 100));
    scene.web.otherwise(root.substr(7, root.size() - 8),
                        {.body = "x", .delay = is_other ? 100ms : 500ms});
  }
  scene.run(hold_up_many_hosts);
  EXPECT_EQ(scene.fetched().size(), 301u + 4 * 101u);
}

Task<void> freeze_a_root(NodeScene& scene) {
  const std::string key = partition_of_host("b.example");
  co_await scene.ask(key, {"HSET", key, "f", "1"});
  SceneNode& node = scene.start();
  static_cast<void>(co_await async::sleep(20s));
  EXPECT_FALSE((co_await node.crawl.facts())->has_begun) << "another node would see an end";
  EXPECT_THAT(node.sink.urls, IsEmpty());
  co_await scene.ask(key, {"HDEL", key, "f"});
  co_await scene.until_over();
  EXPECT_TRUE((co_await node.crawl.facts())->has_begun);
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, ACrawlBeginsWhenAllItsRootsAreThere) {
  NodeScene scene({"http://a.example/", "http://b.example/"});
  scene.web.page("http://a.example/", {});
  scene.web.page("http://b.example/", {});
  scene.run(freeze_a_root);
  EXPECT_EQ(scene.fetched().size(), 2u);
}

Task<void> stop_with_redis_silent(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(3);
  scene.servers->pause(0, true);
  scene.servers->pause(1, true);
  node.engine().stop(EndReason::interrupted);
  static_cast<void>(co_await async::sleep(30s));
  EXPECT_FALSE(node.has_left) << "it gives its hosts back as soon as it can";
  scene.servers->pause(0, false);
  scene.servers->pause(1, false);
  co_await scene.until_over();
  EXPECT_TRUE(node.left.has_value());
  EXPECT_EQ(scene.sums().leased, 0u);
}

TEST(SharedNode, ANodeThatLeavesWaitsForRedis) {
  NodeScene scene(some_roots(12));
  slow_down(scene, 1s);
  scene.run(stop_with_redis_silent);
}

}  // namespace
}  // namespace gossamer::node

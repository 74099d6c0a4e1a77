// Tests what a node of a shared crawl does, with a whole crawl around it.
#include "node/shared_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "async/sleep.h"
#include "async/task.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "cluster/root_places.h"
#include "cluster/shared_crawl.h"
#include "node/link_outbox.h"
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

// --- a whole crawl

Task<void> one_node(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
  EXPECT_TRUE(node.left.has_value());
  EXPECT_EQ(scene.sums().found, 18u);
  EXPECT_EQ(scene.sums().ended, 18u);
  EXPECT_EQ(scene.sums().leased, 0u) << "all hosts were given back";
  const auto facts = co_await node.crawl.facts();
  EXPECT_EQ(facts->end, "finished");
  EXPECT_TRUE(facts->has_begun);
  EXPECT_EQ(facts->nodes, 0u) << "it has left";
  EXPECT_THAT(node.process.said, IsEmpty());
  EXPECT_THAT(node.process.repeated, IsEmpty());
  EXPECT_GE(node.process.syncs, 1u) << "pages are durable before they end in Redis";
}

TEST(SharedNode, ANodeAloneCrawlsTheWholeSite) {
  NodeScene scene({"http://a.example/"});
  const std::vector<std::string> all = three_hosts(scene, 5);
  scene.run(one_node);
  EXPECT_THAT(scene.fetched(), ElementsAreArray(all));
}

Task<void> two_nodes(NodeScene& scene) {
  scene.start();
  static_cast<void>(co_await async::sleep(2s));
  scene.start();
  co_await scene.until_over();
  for (const auto& each : scene.nodes) {
    EXPECT_EQ(each->end, EndReason::finished);
    EXPECT_THAT(each->sink.urls, Not(IsEmpty())) << "both have hosts";
    EXPECT_THAT(each->process.repeated, IsEmpty());
  }
  EXPECT_EQ(scene.sums().leased, 0u);
}

TEST(SharedNode, TwoNodesFetchEveryPageOnce) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  const std::vector<std::string> all = three_hosts(scene, 60, 500ms);
  scene.run(two_nodes);
  EXPECT_THAT(scene.fetched(), ElementsAreArray(all));
  for (const std::string& host : kSceneHosts) {
    EXPECT_EQ(scene.crawled.times_asked("http://" + host + "/robots.txt"), 1u)
        << "the next holder of a host knows its rules";
  }
}

Task<void> late_node(NodeScene& scene) {
  scene.start();
  co_await scene.until_over();
  SceneNode& late = scene.start();
  co_await scene.until_over();
  EXPECT_EQ(late.end, EndReason::finished);
  EXPECT_THAT(late.sink.urls, IsEmpty()) << "it adds no roots again";
}

TEST(SharedNode, ANodeThatJoinsAfterTheEndEndsToo) {
  NodeScene scene({"http://a.example/"});
  three_hosts(scene, 2);
  scene.run(late_node);
}

Task<void> rejoin(NodeScene& scene) {
  SceneNode& first = scene.start();
  co_await scene.until_fetched(10);
  first.engine().stop(EndReason::interrupted);
  co_await scene.until_over();
  EXPECT_EQ(first.end, EndReason::interrupted);
  EXPECT_EQ(scene.sums().leased, 0u) << "it gave its hosts back";
  EXPECT_EQ(scene.sums().ended, first.sink.urls.size()) << "what it has fetched has ended";
  EXPECT_EQ((co_await first.crawl.facts())->end, "") << "the crawl has not";
  SceneNode& second = scene.start();
  co_await scene.until_over();
  EXPECT_EQ(second.end, EndReason::finished);
}

TEST(SharedNode, AnotherNodeContinuesWhereOneHasLeft) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 2;
  const std::vector<std::string> all = three_hosts(scene, 30, 100ms);
  scene.run(rejoin);
  EXPECT_THAT(scene.fetched(), ElementsAreArray(all));
}

// --- the end, the control and the orders of the crawl

Task<void> reach_limit(NodeScene& scene) {
  scene.start();
  SceneNode& second = scene.start();
  co_await scene.until_over();
  const auto facts = co_await second.crawl.facts();
  EXPECT_EQ(facts->end, "page_limit");
  EXPECT_EQ(facts->pages_left, 0u);
  EXPECT_EQ(facts->pages_reserved, 0u);
  EXPECT_EQ(scene.fetched().size(), 40u);
}

TEST(SharedNode, NodesShareThePageLimit) {
  NodeScene scene({"http://a.example/"});
  scene.options.pages_max = 40;
  three_hosts(scene, 60, 50ms);
  scene.run(reach_limit);
}

Task<void> pause_and_stop(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(5);
  EXPECT_TRUE(*co_await node.crawl.control(cluster::Control::pause));
  co_await scene.until([&] { return node.engine().is_paused(); });
  static_cast<void>(co_await async::sleep(2s));
  const std::size_t paused = node.sink.urls.size();
  static_cast<void>(co_await async::sleep(20s));
  EXPECT_EQ(node.sink.urls.size(), paused);
  EXPECT_TRUE(node.is_running());
  EXPECT_TRUE(*co_await node.crawl.control(cluster::Control::run));
  co_await scene.until_fetched(paused + 1);
  EXPECT_FALSE(node.engine().is_paused());
  EXPECT_TRUE(*co_await node.crawl.control(cluster::Control::stop));
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::interrupted);
}

TEST(SharedNode, ObeysTheControlOfTheCrawl) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  three_hosts(scene, 60, 300ms);
  scene.run(pause_and_stop);
}

Task<void> pause_for_long(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(3);
  node.engine().pause();  // its user did, or its disk is full
  static_cast<void>(co_await async::sleep(20s));
  EXPECT_GT(scene.sums().leased, 0u) << "the pause may be short";
  static_cast<void>(co_await async::sleep(20s));
  EXPECT_EQ(scene.sums().leased, 0u) << "others may fetch the hosts";
  EXPECT_TRUE(node.is_running());
  node.engine().resume();
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, ANodeThatIsPausedForLongGivesItsHostsBack) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  const std::vector<std::string> all = three_hosts(scene, 20, 300ms);
  scene.run(pause_for_long);
  EXPECT_THAT(scene.fetched(), ElementsAreArray(all));
}

Task<void> order_pages(NodeScene& scene) {
  SceneNode& first = scene.start();
  SceneNode& second = scene.start();
  for (const auto& each : scene.nodes) {
    each->process.on_order = [&node = *each](const std::string& order) {
      if (order == "block") node.engine().block_host("b.example");
    };
  }
  co_await scene.until_fetched(2);
  EXPECT_TRUE(*co_await first.crawl.order("one"));
  EXPECT_TRUE(*co_await first.crawl.order("block"));
  co_await scene.until([&] { return second.process.orders.size() == 2; }, 5s);
  SceneNode& third = scene.start();
  co_await scene.until_over();
  for (const auto& each : scene.nodes) {
    EXPECT_THAT(each->process.orders, ElementsAre("one", "block")) << "each once, in their order";
  }
  EXPECT_EQ(third.end, EndReason::finished);
}

TEST(SharedNode, EveryNodeExecutesEveryOrderOnce) {
  NodeScene scene({"http://a.example/"});
  scene.settings.politeness.own_concurrency = 1;
  three_hosts(scene, 20, 300ms);
  scene.run(order_pages);
}

Task<void> order_before_the_end(NodeScene& scene) {
  SceneNode& node = scene.start();
  node.process.on_order = [&node](const std::string&) {
    static_cast<void>(node.engine().add_root(*url::Url::parse("http://c.example/late")));
  };
  co_await scene.until_fetched(1);
  EXPECT_TRUE(*co_await node.crawl.order("add"));
  co_await scene.until_over();
  EXPECT_THAT(scene.fetched(), Contains("http://c.example/late"));
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, AnOrderAtTheEndOfACrawlIsExecutedBefore) {
  NodeScene scene({"http://a.example/"});
  scene.web.page("http://a.example/", {});
  scene.web.page("http://c.example/late", {});
  scene.run(order_before_the_end);
}

// --- scope

Task<void> widen(NodeScene& scene) {
  SceneNode& first = scene.start();
  co_await scene.until([&] { return !first.sink.urls.empty(); });
  const Instant soon = async::Loop::current().now() + 5s;
  const auto places = co_await cluster::root_places(scene.client(), "m", soon);
  co_await scene.until_over();
  const auto late = co_await cluster::root_places(scene.client(), "m", soon + 10min);
  EXPECT_TRUE(late.has_value());
  EXPECT_THAT(*late, ElementsAre("http://www.a.example/"));
}

TEST(SharedNode, TheTargetOfARootBelongsToTheScopeOfAllNodes) {
  NodeScene scene({"http://a.example/"});
  scene.web.at("http://a.example/", crawler::redirect_to("http://www.a.example/"));
  scene.web.page("http://www.a.example/", {"/x", "http://else.example/"});
  scene.web.otherwise("www.a.example", {.body = "x", .delay = 5s});
  scene.run(widen);
  EXPECT_THAT(scene.fetched(),
              ElementsAre("http://a.example/", "http://www.a.example/", "http://www.a.example/x"));
}

Task<void> hear_of_place(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_fetched(1);
  const Instant soon = async::Loop::current().now() + 5s;
  EXPECT_TRUE(co_await cluster::add_root_places(scene.client(), "m", {"http://b.example/"}, soon));
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
}

TEST(SharedNode, PlacesThatOthersFoundBelongToTheScope) {
  NodeScene scene({"http://a.example/"});
  crawler::Reply slow = crawler::links_to({"http://b.example/", "http://c.example/"});
  scene.web.page("http://a.example/", {"/slow"});
  slow.delay = 10s;
  scene.web.at("http://a.example/slow", slow);
  scene.web.page("http://b.example/", {});
  scene.web.page("http://c.example/", {});
  scene.run(hear_of_place);
  EXPECT_THAT(scene.fetched(),
              ElementsAre("http://a.example/", "http://a.example/slow", "http://b.example/"));
}

Task<void> refuse_hosts(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_over();
  EXPECT_EQ(node.sink.urls.size(), 4u) << "the root and three of its hosts";
  std::size_t refused = 0;
  for (const auto& [url, reason] : node.sink.skipped) {
    EXPECT_EQ(reason, SkipReason::domain_hosts) << url;
    ++refused;
  }
  EXPECT_EQ(refused, 2u);
}

TEST(SharedNode, UrlsThatRedisDoesNotAcceptAreReportedAsSkipped) {
  NodeScene scene({"http://a.example/"});
  scene.settings.scope.kind = crawler::ScopeKind::any;
  scene.options.hosts_per_domain_max = 3;
  scene.web.page("http://a.example/",
                 {"http://1.d.example.com/", "http://2.d.example.com/", "http://3.d.example.com/",
                  "http://4.d.example.com/", "http://5.d.example.com/"});
  for (int i = 1; i <= 5; ++i)
    scene.web.page("http://" + std::to_string(i) + ".d.example.com/", {});
  scene.run(refuse_hosts);
}

Task<void> go_by_levels(NodeScene& scene) {
  SceneNode& node = scene.start();
  co_await scene.until_over();
  EXPECT_EQ(node.end, EndReason::finished);
  std::vector<std::uint32_t> depths;
  for (const auto& record : node.sink.records) depths.push_back(record.depth);
  EXPECT_TRUE(std::ranges::is_sorted(depths)) << testing::PrintToString(depths);
  EXPECT_THAT(depths, SizeIs(5));
}

TEST(SharedNode, LevelByLevelNoPageIsFetchedBeforeThoseThatAreNearer) {
  NodeScene scene({"http://a.example/"});
  scene.settings.scope.kind = crawler::ScopeKind::any;
  scene.settings.scope.depth_max = 2;
  scene.options.is_level_by_level = true;
  crawler::Reply slow = crawler::links_to({"http://c.example/"});
  slow.delay = 5s;
  scene.web.page("http://a.example/", {"/slow", "http://b.example/"});
  scene.web.at("http://a.example/slow", slow);
  scene.web.page("http://b.example/", {"/deep"});
  scene.web.page("http://b.example/deep", {"/too-deep"});
  scene.web.page("http://c.example/", {"/too-deep"});
  scene.run(go_by_levels);
}

// --- hosts

Task<void> take_cookies(NodeScene& scene) {
  SceneNode& first = scene.start();
  co_await scene.until_fetched(3);
  first.engine().stop(EndReason::interrupted);
  co_await scene.until_over();
  SceneNode& second = scene.start();
  co_await scene.until_over();
  EXPECT_EQ(second.cookies.of_host("a.example", second.process.wall_now()).size(), 1u);
}

TEST(SharedNode, TheNextHolderOfAHostHasItsCookies) {
  NodeScene scene({"http://a.example/"});
  crawler::Reply root = crawler::page_of_links(20);
  root.fields = "Set-Cookie: id=7\r\n";
  scene.web.at("http://a.example/", root);
  scene.web.otherwise("a.example", {.body = "x", .delay = 300ms});
  scene.settings.politeness.own_concurrency = 1;
  scene.run(take_cookies);
  std::size_t with_cookie = 0;
  for (const crawler::Heard& heard : scene.crawled.heard) {
    with_cookie += heard.head.contains("id=7") ? 1 : 0;
  }
  EXPECT_EQ(with_cookie, 20u) << "all pages after the first";
}

Task<void> sleep_long(NodeScene& scene) {
  scene.start();
  co_await scene.until_fetched(1);
  static_cast<void>(co_await async::sleep(5s));
  EXPECT_EQ(scene.sums().leased, 0u) << "a lease would be renewed for half an hour";
  co_await scene.until_over(2h);
}

TEST(SharedNode, AHostThatAsksToWaitLongIsReleasedMeanwhile) {
  NodeScene scene({"http://a.example/"});
  crawler::Reply busy = {.status = 429, .fields = "Retry-After: 660\r\n"};
  scene.web.page("http://a.example/", {"/x"});
  scene.web.at("http://a.example/x", {busy, crawler::Reply{.body = "x"}});
  scene.run(sleep_long);
  EXPECT_THAT(scene.fetched(), ElementsAre("http://a.example/", "http://a.example/x"));
  EXPECT_GE(scene.crawled.took, 660s) << "the pause outlives the lease";
}

Task<void> pass_on(NodeScene& scene) {
  SceneNode& first = scene.start();
  SceneNode& second = scene.start();
  co_await scene.until_over(3h);
  EXPECT_EQ(scene.sums().leased, 0u);
  EXPECT_EQ(scene.sums().ended, scene.sums().found);
  EXPECT_TRUE(first.end.has_value() && second.end.has_value());
  const std::set<Instant> grants = [&] {
    std::set<Instant> moments;
    for (const auto& grant : scene.servers->grants()) moments.insert(grant.at);
    return moments;
  }();
  EXPECT_GE(grants.size(), 2u) << "each node has tried it";
}

TEST(SharedNode, AHostThatDoesNotAnswerOneNodeIsTriedByAnother) {
  NodeScene scene({"http://a.example/"});
  scene.web.at("http://a.example/", crawler::Reply{.is_cut = true});
  scene.web.at("http://a.example/robots.txt", crawler::Reply{.is_cut = true});
  scene.run(pass_on);
}

// --- addresses

Task<void> share_address(NodeScene& scene) {
  scene.start();
  scene.start();
  co_await scene.until_over();
}

TEST(SharedNode, HostsOfOneAddressShareItsPause) {
  NodeScene scene({"http://a.example/", "http://b.example/"});
  scene.settings.politeness.delay = Duration::zero();
  scene.settings.politeness.address_gap = 2s;
  for (const std::string host : {"a.example", "b.example"}) {
    scene.web.at("http://" + host + "/", crawler::page_of_links(6));
    scene.web.otherwise(host, {.body = "x"});
    scene.web.address(host, crawler::kStrangerAddress);
  }
  scene.run(share_address);
  EXPECT_EQ(scene.fetched().size(), 14u);
  EXPECT_GE(scene.crawled.shortest_gap(), 1900ms);
}

}  // namespace
}  // namespace gossamer::node

// Tests the commands of `gossamer cluster` with real Redis servers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/command_run.h"

namespace gossamer::cli {
namespace {

using redis::RedisServer;
using support::CommandRun;
using testing::HasSubstr;
using testing::Not;

std::string url_of(const RedisServer& server, const std::string& user = "") {
  return "redis://" + user + "127.0.0.1:" + std::to_string(server.port()) + "/museum";
}

// Runs a coroutine with a client of one server.
template <class Work>
void with_client(const RedisServer& server, Work work) {
  async::Loop loop;
  loop.run(work(server.node()));
}

// Begins the crawl "museum" with two URLs, one of which has ended, and one node.
async::Task<void> begin_crawl(redis::Node node) {
  redis::TestClient client({node});
  auto opened = co_await client->open(redis::in_time());
  if (opened) opened = co_await cluster::install_functions(*client, redis::in_time());
  EXPECT_TRUE(opened.has_value()) << opened.error().to_string();
  cluster::SharedCrawl crawl(*client, {.crawl = "museum", .node = "node-1"});
  const auto joined = co_await crawl.join({.settings = "s", .pages_max = 100, .identity = "x"});
  EXPECT_TRUE(joined.has_value()) << joined.error().to_string();
  cluster::SharedFrontier frontier(*client, {.crawl = "museum"},
                                   [n = 0ull]() mutable { return ++n; });
  EXPECT_TRUE(co_await frontier.prepare("x", cluster::SharedFrontier::Prepare::make));
  EXPECT_TRUE(co_await frontier.add({cluster::found_urls(17, "a.example", {1, 2})}));
  auto leased = co_await frontier.lease({.partitions = {17}});
  EXPECT_EQ(leased->size(), 1u);
  cluster::Holding holding(leased->front());
  holding.advance(1);
  static_cast<void>(co_await frontier.complete({{.partition = 17,
                                                 .host = "a.example",
                                                 .token = holding.token,
                                                 .position = holding.position(),
                                                 .then = cluster::Then::keep}}));
  EXPECT_TRUE(co_await crawl.begin());
  EXPECT_TRUE(co_await crawl.beat(
      R"({"pages": 7, "bytes": 2000000, "pages_per_second": 3.5, "hosts": 1})", 1));
  co_await client.close();
}

async::Task<void> end_crawl(redis::Node node) {
  redis::TestClient client({node});
  EXPECT_TRUE(co_await client->open(redis::in_time()));
  cluster::SharedCrawl crawl(*client, {.crawl = "museum", .node = "node-1"});
  const auto facts = co_await crawl.facts();
  EXPECT_TRUE(facts.has_value());
  EXPECT_TRUE(co_await crawl.finish("done", facts ? facts->orders : 0));
  co_await client.close();
}

async::Task<void> expect_orders(redis::Node node) {
  redis::TestClient client({node});
  EXPECT_TRUE(co_await client->open(redis::in_time()));
  cluster::SharedCrawl crawl(*client, {.crawl = "museum", .node = "node-1"});
  const auto orders = co_await crawl.orders(1);
  EXPECT_TRUE(orders.has_value());
  EXPECT_THAT(*orders, testing::ElementsAre(R"({"do": "add", "url": "http://b.example/"})",
                                            R"({"do": "block", "host": "b.example"})",
                                            R"({"do": "unblock", "host": "b.example"})"));
  co_await client.close();
}

async::Task<void> expect_keys(redis::Node node, std::int64_t keys) {
  redis::TestClient client({node});
  const auto size = co_await redis::ask(*client, node, {"DBSIZE"});
  EXPECT_TRUE(size.has_value());
  EXPECT_EQ(size->as_integer(-1), keys);
  co_await client.close();
}

async::Task<void> write_key(redis::Node node, std::string key, std::string field) {
  redis::TestClient client({node});
  EXPECT_TRUE(co_await redis::ask(*client, node, {"HSET", key, field, "1"}));
  co_await client.close();
}

class ClusterCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(redis::kRedisServer)) {
      GTEST_SKIP() << "redis-server is not installed";
    }
  }
};

TEST_F(ClusterCommandTest, DoctorNamesWhatCanLoseUrls) {
  const RedisServer server;
  CommandRun run({"cluster", "doctor", url_of(server)});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_THAT(run.out(), HasSubstr("One Redis server with 1 master"));
  EXPECT_THAT(run.out(), HasSubstr("warning: " + server.node().to_string() + ": no replica"));
  EXPECT_THAT(run.out(), HasSubstr("appendonly is off"));
  EXPECT_THAT(run.out(), Not(HasSubstr("full-coverage"))) << "it is not a cluster";
}

TEST_F(ClusterCommandTest, DoctorFailsIfUrlsCanBeEvicted) {
  const RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
  CommandRun run({"cluster", "doctor", url_of(server), "--json"});
  EXPECT_EQ(run.wait(), 1) << run.err();
  EXPECT_THAT(run.out(), HasSubstr(R"("weight": "error")"));
  EXPECT_THAT(run.out(), HasSubstr("maxmemory-policy allkeys-lru"));
}

TEST_F(ClusterCommandTest, PasswordsComeFromTheEnvironmentOrAFile) {
  const RedisServer server({"--requirepass", "hidden"});
  support::TestFolder folder;
  CommandRun without({"cluster", "doctor", url_of(server)});
  EXPECT_EQ(without.wait(), 6);
  EXPECT_THAT(without.err(), HasSubstr("NOAUTH"));
  CommandRun from_file({"cluster", "doctor", url_of(server), "--password-file",
                        folder.write("password", "hidden\n")});
  EXPECT_EQ(from_file.wait(), 0) << from_file.err();
  CommandRun from_environment({"cluster", "doctor", url_of(server)}, {},
                              {.environment = {"GOSSAMER_REDIS_PASSWORD=hidden"}});
  EXPECT_EQ(from_environment.wait(), 0) << from_environment.err();
  CommandRun no_password({"cluster", "doctor", url_of(server, "someone@")});
  EXPECT_EQ(no_password.wait(), 2);
  EXPECT_THAT(no_password.err(), HasSubstr("user someone of Redis has no password"));
  CommandRun in_url({"cluster", "doctor", url_of(server, "default:hidden@")});
  EXPECT_EQ(in_url.wait(), 2);
  EXPECT_THAT(in_url.err(), HasSubstr("GOSSAMER_REDIS_PASSWORD"));
  EXPECT_THAT(in_url.err(), Not(HasSubstr("hidden")));
}

TEST_F(ClusterCommandTest, StatusShowsNodesAndProgress) {
  const RedisServer server;
  CommandRun missing({"cluster", "status", url_of(server)});
  EXPECT_EQ(missing.wait(), 1);
  EXPECT_THAT(missing.err(), HasSubstr("there is no crawl museum"));
  with_client(server, begin_crawl);
  CommandRun text({"cluster", "status", url_of(server)});
  EXPECT_EQ(text.wait(), 0) << text.err();
  EXPECT_THAT(text.out(), HasSubstr("crawl museum: running, 100 pages left\n"
                                    "  URLs: 2 found, 1 ended, 1 open\n"
                                    "  hosts: 1 known, 1 with URLs, 1 leased\n"
                                    "1 node, 3.5 pages/s\n  node-1 "));
  EXPECT_THAT(text.out(), HasSubstr("7 pages, 3.5/s, 2.0 MB"));
  CommandRun json({"cluster", "status", url_of(server), "--json"});
  EXPECT_EQ(json.wait(), 0) << json.err();
  EXPECT_THAT(json.out(), HasSubstr(R"("found": 2, "ended": 1, "open": 1)"));
  EXPECT_THAT(json.out(), HasSubstr(R"("report": {"pages": 7, "bytes": 2000000)"));
}

TEST_F(ClusterCommandTest, StatusWatchesUntilTheEnd) {
  const RedisServer server;
  with_client(server, begin_crawl);
  CommandRun watch(
      {"cluster", "status", url_of(server), "--watch", "--json", "--interval", "10ms"});
  with_client(server, end_crawl);
  EXPECT_EQ(watch.wait(), 0) << watch.err();
  EXPECT_THAT(watch.out(), HasSubstr(R"("state": "ended", "control": "run", "end": "done")"));
}

TEST_F(ClusterCommandTest, StatusReportsFrozenAndLostPartitions) {
  const RedisServer server;
  with_client(server, begin_crawl);
  with_client(server, [](redis::Node node) { return write_key(node, "C{museum.3}", "f"); });
  CommandRun frozen({"cluster", "status", url_of(server)});
  EXPECT_EQ(frozen.wait(), 0) << frozen.err();
  EXPECT_THAT(frozen.out(), HasSubstr("frozen partitions: 3;"));
  EXPECT_THAT(frozen.out(), Not(HasSubstr("the crawl is frozen")));
  with_client(server, [](redis::Node node) { return write_key(node, "G{museum}", "f"); });
  CommandRun all({"cluster", "status", url_of(server)});
  EXPECT_EQ(all.wait(), 0) << all.err();
  EXPECT_THAT(all.out(), HasSubstr("the crawl is frozen"));
  with_client(server, [](redis::Node node) { return write_key(node, "C{museum.200}", "v"); });
  CommandRun lost({"cluster", "status", url_of(server)});
  EXPECT_EQ(lost.wait(), 1) << lost.err();
  EXPECT_THAT(lost.out(), HasSubstr("lost these partitions: 200\n"));
}

TEST_F(ClusterCommandTest, ACrawlIsPausedResumedAndStopped) {
  const RedisServer server;
  with_client(server, begin_crawl);
  const auto run = [&](const std::string& action, int exit_code, const std::string& state) {
    CommandRun steer({"cluster", action, url_of(server)});
    EXPECT_EQ(steer.wait(), exit_code) << steer.err();
    CommandRun status({"cluster", "status", url_of(server)});
    EXPECT_EQ(status.wait(), 0) << status.err();
    EXPECT_THAT(status.out(), HasSubstr("crawl museum: " + state));
  };
  run("pause", 0, "paused");
  run("resume", 0, "running");
  run("stop", 0, "stopping");
  run("resume", 1, "stopping");
}

TEST_F(ClusterCommandTest, OrdersReachTheNodesUntilTheEnd) {
  const RedisServer server;
  with_client(server, begin_crawl);
  CommandRun add({"cluster", "add", url_of(server), "https://A.example/x", "http://b.example"});
  EXPECT_EQ(add.wait(), 0) << add.err();
  CommandRun block({"cluster", "block", url_of(server), "b.example"});
  EXPECT_EQ(block.wait(), 0) << block.err();
  CommandRun unblock({"cluster", "unblock", url_of(server), "b.example"});
  EXPECT_EQ(unblock.wait(), 0) << unblock.err();
  EXPECT_EQ(unblock.out(), "1 host unblocked\n");
  with_client(server, expect_orders);
  CommandRun wrong({"cluster", "add", url_of(server), "ftp://a.example/"});
  EXPECT_EQ(wrong.wait(), 2);
  CommandRun no_host({"cluster", "block", url_of(server), "http://a.example/"});
  EXPECT_EQ(no_host.wait(), 2);
  with_client(server, end_crawl);
  CommandRun late({"cluster", "add", url_of(server), "http://c.example/"});
  EXPECT_EQ(late.wait(), 1);
  EXPECT_THAT(late.err(), HasSubstr("the crawl has ended"));
}

TEST_F(ClusterCommandTest, PurgeDeletesOnlyOneCrawlThatHasEnded) {
  const RedisServer server;
  with_client(server, begin_crawl);
  // A crawl of this name would be "museum.17"; it has the same beginning.
  with_client(server, [](redis::Node node) { return write_key(node, "C{museum.17.0}", "v"); });
  CommandRun unsure({"cluster", "purge", url_of(server)});
  EXPECT_EQ(unsure.wait(), 2);
  EXPECT_THAT(unsure.err(), HasSubstr("--yes"));
  CommandRun running({"cluster", "purge", url_of(server), "--yes"});
  EXPECT_EQ(running.wait(), 2);
  EXPECT_THAT(running.err(), HasSubstr("the crawl has not ended"));
  CommandRun forced({"cluster", "purge", url_of(server), "--yes", "--force"});
  EXPECT_EQ(forced.wait(), 0) << forced.err();
  with_client(server, [](redis::Node node) { return expect_keys(node, 1); });
  CommandRun again({"cluster", "purge", url_of(server), "--yes"});
  EXPECT_EQ(again.wait(), 0) << again.err();
  EXPECT_THAT(again.out(), HasSubstr("0 keys deleted"));
}

}  // namespace
}  // namespace gossamer::cli

// Moves slots of a real cluster that holds a crawl with redis-cli, and accepts that.
#include "cluster/new_owners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "cluster/layout.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "redis/slot.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/command_run.h"
#include "tests/support/suite.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using redis::TestClient;
using support::CommandRun;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kRedisCli = "/usr/bin/redis-cli";

class NewOwnersTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* const program : {redis::kRedisServer, kRedisCli}) {
      if (!support::is_installed(program)) GTEST_SKIP() << program << " is not installed";
    }
    // No server may be replaced because the machine is busy.
    cluster_ = std::make_unique<redis::RedisCluster>(redis::RedisCluster::kSteady);
    ASSERT_NO_FATAL_FAILURE(cluster_->form());
    async::Loop loop;
    loop.run(begin());
  }

  // The crawl "m" with two URLs in each partition. Its node has left.
  Task<void> begin() {
    TestClient client(cluster_->seeds());
    EXPECT_TRUE(co_await client->open(redis::in_time()));
    EXPECT_TRUE(co_await install_functions(*client, redis::in_time()));
    SharedCrawl crawl(*client, {.crawl = "m", .node = "a"});
    EXPECT_TRUE(co_await crawl.join({.settings = "s", .identity = "i"}));
    SharedFrontier frontier(*client, {.crawl = "m", .patience = support::kPatience},
                            [n = 0ull]() mutable { return ++n; });
    EXPECT_TRUE(co_await frontier.prepare("i", SharedFrontier::Prepare::make));
    std::vector<FoundUrls> found;
    for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
      found.push_back(found_urls(partition, "h" + std::to_string(partition) + ".example", {1, 2}));
    }
    EXPECT_TRUE(co_await frontier.add(std::move(found)));
    EXPECT_TRUE(co_await crawl.begin());
    EXPECT_TRUE(co_await crawl.leave(0));
    owner_ = *client->slots().master_of(redis::slot_of(partition_key("m", 0)));
    for (const redis::SlotMap::Master& master : client->slots().masters()) {
      if (master.id != owner_.id) target_ = master;
    }
    co_await client.close();
  }

  // Moves some slots of one master to another.
  void move_slots() {
    CommandRun moved({"--cluster", "reshard", owner_.node.to_string(), "--cluster-from", owner_.id,
                      "--cluster-to", target_.id, "--cluster-slots", "2000", "--cluster-pipeline",
                      "100", "--cluster-yes"},
                     {}, {.program = kRedisCli});
    ASSERT_EQ(moved.wait(), 0) << moved.out() << moved.err();
  }
  std::string url() const {
    return "redis://127.0.0.1:" + std::to_string(cluster_->server(1).port()) + "/m";
  }

  // BORROWS: this.
  Task<void> lose_queue() {
    TestClient client(cluster_->seeds());
    EXPECT_TRUE(co_await client->open(redis::in_time()));
    const std::string key = "Q" + partition_key("m", 0).substr(1) + "h0.example";
    const redis::Node owner = *client->slots().owner(redis::slot_of(key));
    const auto removed = co_await ask(*client, owner, {"DEL", key});
    EXPECT_EQ(removed->as_integer(0), 1);
    co_await client.close();
  }

  std::unique_ptr<redis::RedisCluster> cluster_;
  redis::SlotMap::Master owner_;
  redis::SlotMap::Master target_;
};

TEST_F(NewOwnersTest, SlotsThatRedisCliHasMovedAreAcceptedIfNothingIsMissing) {
  ASSERT_NO_FATAL_FAILURE(move_slots());
  CommandRun before({"cluster", "status", url()});
  EXPECT_EQ(before.wait(), 1) << before.err();
  EXPECT_THAT(before.out(), HasSubstr("run `gossamer cluster accept`"));
  CommandRun accepted({"cluster", "accept", url()});
  EXPECT_EQ(accepted.wait(), 0) << accepted.err();
  EXPECT_THAT(accepted.out(), StartsWith("512 URLs found, all are there; "));
  CommandRun after({"cluster", "status", url()});
  EXPECT_EQ(after.wait(), 0) << after.out();
  CommandRun again({"cluster", "accept", url()});
  EXPECT_EQ(again.wait(), 0) << again.err();
  EXPECT_EQ(again.out(), "512 URLs found, all are there; 0 new owners accepted\n");

  async::Loop loop;
  loop.run(lose_queue());
  CommandRun refused({"cluster", "accept", url()});
  EXPECT_EQ(refused.wait(), 1) << refused.out();
  EXPECT_THAT(refused.err(), HasSubstr("partition 0 counts 2 queued URLs and has 0"));
}

}  // namespace
}  // namespace gossamer::cluster

// Tests how functions reach servers in the simulated world. Two servers: 8.1.1.1:7001, whose
// connections are cut, and 8.1.1.1:7002, which has lost its functions.
#include <gtest/gtest.h>

#include <string>

#include "async/loop.h"
#include "async/scope.h"
#include "cluster/function_library.h"
#include "cluster/shared_crawl.h"
#include "net/connector.h"
#include "redis/client.h"
#include "redis/slot.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "tests/support/redis_test_server.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::RedisTestServer;
using redis::Words;

constexpr int kBorder = 8000;

// What the servers have heard.
struct Heard {
  bool is_first_down = false;
  bool has_functions = true;  // the second one
  int loads = 0;
  int beats = 0;

  std::string answer(int server, const Words& words) {
    if (server == 1 && is_first_down) return std::string(RedisTestServer::kHangUp);
    if (words[0] == "CLUSTER") {
      const std::string host = "\r\n*2\r\n$7\r\n8.1.1.1\r\n:700";
      return "*2\r\n*3\r\n:0\r\n:" + std::to_string(kBorder - 1) + host +
             "1\r\n*3\r\n:" + std::to_string(kBorder) + "\r\n:16383" + host + "2\r\n";
    }
    if (words[0] == "FUNCTION" && words[1] == "LIST") return "*0\r\n";
    if (words[0] == "FUNCTION") {
      loads += server == 2 ? 1 : 0;
      has_functions = has_functions || server == 2;
      return "+gossamer\r\n";
    }
    if (words[0] != "FCALL") return ":1\r\n";
    if (!has_functions) return "-ERR Function not found\r\n";
    beats += words[1] == "g4_beat" ? 1 : 0;
    // The facts of a crawl.
    return "*11\r\n+" + std::string(kLayoutVersion) +
           "\r\n+s\r\n+0\r\n+run\r\n+1\r\n+\r\n+\r\n+i\r\n+\r\n:1\r\n:0\r\n";
  }
};

// The key of the crawl is on the second server.
std::string crawl_on_second() {
  std::string name = "m";
  while (redis::slot_of("G{" + name + "}") < kBorder) name += "m";
  return name;
}

// BORROWS: what was heard, which outlives it.
Task<Result<void>> lose_functions(Heard& heard) {
  async::Loop& loop = async::Loop::current();
  RedisTestServer one(loop, "8.1.1.1", 7001, [&](const Words& w) { return heard.answer(1, w); });
  RedisTestServer two(loop, "8.1.1.1", 7002, [&](const Words& w) { return heard.answer(2, w); });
  sim::NamedHosts names(1);
  net::Connector connector(names);
  async::Scope scope(async::OnFailure::keep_going);
  async::Scope connections(async::OnFailure::keep_going);
  scope.spawn(one.run());
  scope.spawn(two.run());
  {
    redis::Client client({.connector = &connector}, {.seeds = {{.host = "8.1.1.1", .port = 7001}}},
                         connections);
    SharedCrawl crawl(client, {.crawl = crawl_on_second(), .node = "a"});
    EXPECT_TRUE(co_await client.open(loop.now() + 20s));
    EXPECT_TRUE(co_await crawl.join({.settings = "s", .identity = "i"}));
    heard.has_functions = false;
    EXPECT_FALSE(co_await crawl.beat("", 0)) << "that is how the loss is noticed";
    heard.is_first_down = true;
    const Instant before = loop.now();
    EXPECT_TRUE(co_await crawl.beat("", 0));
    EXPECT_LT(loop.now() - before, 15s) << "a node that is silent for a minute counts as lost";
  }
  static_cast<void>(co_await connections.join());
  scope.cancel();
  co_return co_await scope.join();
}

TEST(InstallFunctions, AServerThatIsDownDoesNotStopTheBeat) {
  sim::World world = sim::World::calm();
  Heard heard;
  EXPECT_TRUE(world.run(lose_functions(heard)));
  EXPECT_EQ(heard.loads, 1);
  EXPECT_EQ(heard.beats, 1);
}

}  // namespace
}  // namespace gossamer::cluster

#include "redis/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "net/connector.h"
#include "redis/slot.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "tests/support/redis_test_server.h"

namespace gossamer::redis {
namespace {

using async::Task;
using testing::HasSubstr;

// Two servers, 8.1.1.1:7001 and 8.1.1.1:7002. The first has the slots below `border`.
struct Servers {
  int border = 8000;
  bool is_cluster = true;
  // Called before the usual answer; empty: that one.
  std::move_only_function<std::string(int server, const Words& words)> before =
      [](int, const Words&) { return ""; };
  std::vector<std::pair<int, Words>> heard;

  std::string slots() const {
    const std::string one = "*2\r\n$7\r\n8.1.1.1\r\n:7001\r\n";
    const std::string two = "*2\r\n$7\r\n8.1.1.1\r\n:7002\r\n";
    return "*2\r\n*3\r\n:0\r\n:" + std::to_string(border - 1) + "\r\n" + one +
           "*3\r\n:" + std::to_string(border) + "\r\n:16383\r\n" + two;
  }
  std::string answer(int server, const Words& words) {
    heard.emplace_back(server, words);
    if (std::string reply = before(server, words); !reply.empty()) return reply;
    if (words[0] == "CLUSTER") {
      return is_cluster ? slots() : "-ERR This instance has cluster support disabled\r\n";
    }
    if (words[0] != "GET") return ":1\r\n";
    const int slot = slot_of(words[1]);
    const int owner = slot < border ? 1 : 2;
    if (is_cluster && owner != server) {
      return "-MOVED " + std::to_string(slot) + " 8.1.1.1:700" + std::to_string(owner) + "\r\n";
    }
    return "+" + words[1] + "@" + std::to_string(server) + "\r\n";
  }
  int count(std::string_view word) const {
    int count = 0;
    for (const auto& [server, words] : heard) count += words[0] == word ? 1 : 0;
    return count;
  }
};

std::string shown(const std::vector<Result<Reply>>& results) {
  std::string out;
  for (const auto& result : results) {
    out += (result ? result->text : result.error().to_string()) + " ";
  }
  return out;
}

struct Plan {
  std::vector<std::vector<std::string>> batches;  // of keys to GET
  RunOptions options;
  Duration patience = 20s;
  std::vector<int> seeds = {7000, 7001};  // ports; nobody listens on 7000
  std::move_only_function<void(std::size_t batch)> between = [](std::size_t) {};
  Client::Counts counts = {};
};

// BORROWS: both, which outlive it.
Task<Result<std::string>> use(Servers& servers, Plan& plan) {
  async::Loop& loop = async::Loop::current();
  RedisTestServer one(loop, "8.1.1.1", 7001,
                      [&](const Words& words) { return servers.answer(1, words); });
  RedisTestServer two(loop, "8.1.1.1", 7002,
                      [&](const Words& words) { return servers.answer(2, words); });
  sim::NamedHosts names(1);
  net::Connector connector(names);
  async::Scope scope(async::OnFailure::keep_going);
  async::Scope connections(async::OnFailure::keep_going);
  scope.spawn(one.run());
  scope.spawn(two.run());
  Result<std::string> result = std::string();
  ClientOptions options;
  for (const int port : plan.seeds) {
    options.seeds.push_back({.host = "8.1.1.1", .port = static_cast<std::uint16_t>(port)});
  }
  {
    Client client({.connector = &connector}, std::move(options), connections);
    if (auto opened = co_await client.open(loop.now() + plan.patience); !opened) {
      result = fail(std::move(opened).error());
    }
    for (std::size_t i = 0; result && i < plan.batches.size(); ++i) {
      plan.between(i);
      std::vector<Command> commands;
      for (const std::string& key : plan.batches[i]) {
        commands.push_back({.slot = slot_of(key), .words = {"GET", key}});
      }
      plan.options.deadline = loop.now() + plan.patience;
      *result += shown(co_await client.run(std::move(commands), plan.options));
    }
    plan.counts = client.counts();
  }
  static_cast<void>(co_await connections.join());
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return result;
}

std::string run(Servers& servers, Plan& plan) {
  sim::World world = sim::World::calm();
  const auto result = world.run(use(servers, plan));
  return result ? *result : result.error().to_string();
}

// Slots: a 15495, b 3300, c 7365, d 11298.
TEST(Client, SendsCommandsToTheOwnersOfTheirSlots) {
  Servers servers;
  Plan plan = {.batches = {{"a", "b", "c", "d"}}};
  EXPECT_EQ(run(servers, plan), "a@2 b@1 c@1 d@2 ");
  EXPECT_EQ(plan.counts.redirections, 0u);
}

TEST(Client, OneServerNeedsNoCluster) {
  Servers servers = {.is_cluster = false};
  Plan plan = {.batches = {{"a", "b"}}};
  EXPECT_EQ(run(servers, plan), "a@1 b@1 ");
}

TEST(Client, FollowsMovedSlotsAndLearnsTheNewMap) {
  Servers servers;
  Plan plan = {.batches = {{"a"}, {"b", "c"}, {"b", "c"}}};
  plan.between = [&](std::size_t batch) {
    if (batch == 1) servers.border = 100;
  };
  EXPECT_EQ(run(servers, plan), "a@2 b@2 c@2 b@2 c@2 ");
  EXPECT_EQ(plan.counts.redirections, 2u);
  EXPECT_EQ(servers.count("CLUSTER"), 2);
}

TEST(Client, ReadsTheMapFromTheServerThatAnsweredLast) {
  Servers servers;
  bool is_down = false;
  int left = 5;
  int asked = 0;
  servers.before = [&](int server, const Words& words) -> std::string {
    if (words[0] == "GET") return left-- > 0 ? "-TRYAGAIN x\r\n" : "";
    if (server != 1 || !is_down) return "";
    ++asked;
    return std::string(RedisTestServer::kHangUp);
  };
  Plan plan = {.batches = {{"a"}}};
  plan.between = [&](std::size_t) { is_down = true; };
  EXPECT_EQ(run(servers, plan), "a@2 ");
  EXPECT_EQ(asked, 1) << "a server that is down does not delay every refresh";
}

// A map of CLUSTER SLOTS in which a server has the slots from 0 to `last`, and another one the
// rest.
std::string map_of(int port, int last, int rest = 0) {
  const std::string text = "*3\r\n:0\r\n:" + std::to_string(last) +
                           "\r\n*2\r\n$7\r\n8.1.1.1\r\n:" + std::to_string(port) + "\r\n";
  if (rest == 0) return "*1\r\n" + text;
  return "*2\r\n" + text + "*3\r\n:" + std::to_string(last + 1) +
         "\r\n:16383\r\n*2\r\n$7\r\n8.1.1.1\r\n:" + std::to_string(rest) + "\r\n";
}

TEST(Client, ReadsTheMapFromAnotherServerIfOneDoesNotKnowTheOwner) {
  for (const std::string& map : {map_of(7001, 7999), map_of(7001, 7999, 7009)}) {
    Servers servers;
    servers.before = [&](int server, const Words& words) {
      return server == 1 && words[0] == "CLUSTER" ? map : "";
    };
    Plan plan = {.batches = {{"a"}, {"a", "b"}}, .seeds = {7001, 7002}};
    EXPECT_EQ(run(servers, plan), "a@2 a@2 b@1 ") << map;
    EXPECT_EQ(servers.count("CLUSTER"), 2) << "the better map is kept";
  }
}

TEST(Client, ReadsTheMapFromAnotherServerIfOneIsCutOff) {
  Servers servers;
  servers.before = [](int server, const Words& words) -> std::string {
    if (server != 1) return "";
    return words[0] == "CLUSTER" ? map_of(7001, 16383) : "-CLUSTERDOWN The cluster is down\r\n";
  };
  Plan plan = {.batches = {{"a"}}, .seeds = {7001, 7002}};
  EXPECT_EQ(run(servers, plan), "a@2 ");
}

TEST(Client, AsksAllServersForABetterMap) {
  // The first server knows only one that is gone, and the next seed does not answer.
  Servers servers;
  servers.before = [](int server, const Words& words) {
    return server == 1 && words[0] == "CLUSTER" ? map_of(7009, 16383) : "";
  };
  Plan plan = {.batches = {{"a"}}, .seeds = {7001, 7000, 7001, 7002}};
  EXPECT_EQ(run(servers, plan), "a@2 ");
}

TEST(Client, AsksAnotherServerForOneCommand) {
  Servers servers;
  bool is_asking = false;
  servers.before = [&](int server, const Words& words) -> std::string {
    if (words[0] == "ASKING") is_asking = true;
    if (words[0] != "GET" || words[1] != "b") return "";
    if (server == 1) return "-ASK 3300 8.1.1.1:7002\r\n";
    return std::exchange(is_asking, false) ? "+asked\r\n" : "";
  };
  Plan plan = {.batches = {{"b", "c"}, {"b"}}};
  EXPECT_EQ(run(servers, plan), "asked c@1 asked ");
  EXPECT_EQ(plan.counts.redirections, 2u) << "the slot has not moved";
}

TEST(Client, RepeatsWhatIsNotReady) {
  for (const std::string reply :
       {"-TRYAGAIN x\r\n", "-CLUSTERDOWN x\r\n", "-LOADING x\r\n", "-READONLY x\r\n", "hang up"}) {
    Servers servers;
    int left = 3;
    servers.before = [&](int, const Words& words) {
      return words[0] == "GET" && words[1] == "b" && left-- > 0 ? reply : "";
    };
    Plan plan = {.batches = {{"a", "b"}}};
    EXPECT_EQ(run(servers, plan), "a@2 b@1 ") << reply;
    EXPECT_EQ(plan.counts.repeats, 3u) << reply;
  }
}

TEST(Client, GivesUpAtTheDeadline) {
  Servers servers;
  servers.before = [](int, const Words& words) {
    return words[0] == "GET" && words[1] == "b" ? "-CLUSTERDOWN x\r\n" : "";
  };
  Plan plan = {.batches = {{"a", "b"}}};
  const std::string said = run(servers, plan);
  EXPECT_THAT(said, HasSubstr("a@2 unavailable: 8.1.1.1:7001: CLUSTERDOWN x"));
  EXPECT_LT(servers.count("GET"), 40) << "pauses grow";
}

TEST(Client, LostConnectionsAreUnavailableInTheEnd) {
  Servers servers;
  servers.before = [](int, const Words& words) {
    return std::string(words[0] == "GET" ? RedisTestServer::kHangUp : "");
  };
  Plan plan = {.batches = {{"b"}}};
  EXPECT_THAT(run(servers, plan), HasSubstr("unavailable: peer_closed"));
}

TEST(Client, WaitsForReplicasOnlyUntilTheDeadline) {
  Servers servers;
  Plan plan = {.batches = {{"b"}}, .options = {.replicas = 1}, .patience = 500ms};
  EXPECT_EQ(run(servers, plan), "b@1 ");
  for (const auto& [server, words] : servers.heard) {
    if (words[0] != "WAIT") continue;
    EXPECT_GT(std::stoi(words[2]), 0);
    EXPECT_LE(std::stoi(words[2]), 500);
  }
}

TEST(Client, OtherErrorsAreNotRepeated) {
  Servers servers;
  servers.before = [](int, const Words& words) { return words[0] == "GET" ? "-ERR no\r\n" : ""; };
  Plan plan = {.batches = {{"b"}}};
  EXPECT_THAT(run(servers, plan), HasSubstr("ERR no"));
  EXPECT_EQ(servers.count("GET"), 1);
}

TEST(Client, DoesNotRepeatWhatMayHaveHappened) {
  Servers servers;
  servers.before = [](int, const Words& words) {
    return std::string(words[0] == "GET" ? RedisTestServer::kHangUp : "");
  };
  Plan plan = {.batches = {{"b"}}, .options = {.is_repeatable = false}};
  EXPECT_THAT(run(servers, plan), HasSubstr("unavailable: peer_closed"));
  EXPECT_EQ(servers.count("GET"), 1);
}

TEST(Client, WaitsForReplicas) {
  Servers servers;
  Plan plan = {.batches = {{"b", "c"}}, .options = {.replicas = 1}};
  EXPECT_EQ(run(servers, plan), "b@1 c@1 ");
  EXPECT_EQ(servers.count("WAIT"), 1) << "once for each server";
  servers.before = [](int, const Words& words) { return words[0] == "WAIT" ? ":0\r\n" : ""; };
  EXPECT_THAT(run(servers, plan), HasSubstr("unavailable: 8.1.1.1:7001 has too few replicas"));
}

TEST(Client, APersistentCommandWaitsForReplicasAgain) {
  Servers servers;
  int left = 3;
  servers.before = [&](int, const Words& words) {
    return words[0] == "WAIT" && left-- > 0 ? ":0\r\n" : "";
  };
  Plan plan = {.batches = {{"b"}}, .options = {.replicas = 1, .is_persistent = true}};
  EXPECT_EQ(run(servers, plan), "b@1 ");
  EXPECT_EQ(servers.count("GET"), 4);
}

TEST(Client, APersistentCommandEndsAtTheDeadline) {
  Servers servers;
  servers.before = [](int, const Words& words) { return words[0] == "GET" ? "-FROZEN x\r\n" : ""; };
  Plan plan = {.batches = {{"b"}}, .options = {.is_persistent = true}};
  EXPECT_THAT(run(servers, plan), HasSubstr("unavailable: 8.1.1.1:7001: FROZEN x"));
  EXPECT_GT(servers.count("GET"), 2);
  EXPECT_LT(servers.count("GET"), 40) << "pauses grow";
}

TEST(Client, MissingFunctionsAreCounted) {
  Servers servers;
  servers.before = [](int, const Words& words) {
    return words[0] == "GET" ? "-ERR Function not found\r\n" : "";
  };
  Plan plan = {.batches = {{"b"}}};
  EXPECT_THAT(run(servers, plan), HasSubstr("unavailable"));
  EXPECT_EQ(plan.counts.missing_functions, 1u);
}

TEST(Client, ADeniedUserIsReportedImmediately) {
  Servers servers;
  servers.before = [](int, const Words&) { return "-NOAUTH Authentication required.\r\n"; };
  Plan plan = {.batches = {{"b"}}};
  EXPECT_THAT(run(servers, plan), HasSubstr("denied: 8.1.1.1:7001: NOAUTH"));
  EXPECT_EQ(servers.count("CLUSTER"), 1);
}

TEST(Client, RedirectionsInACircleEnd) {
  Servers servers;
  servers.before = [](int server, const Words& words) -> std::string {
    if (words[0] != "GET") return "";
    return server == 1 ? "-MOVED 3300 8.1.1.1:7002\r\n" : "-MOVED 3300 8.1.1.1:7001\r\n";
  };
  Plan plan = {.batches = {{"b"}}};
  EXPECT_THAT(run(servers, plan), HasSubstr("unavailable: internal: 8.1.1.1:700"));
  EXPECT_LT(servers.count("GET"), 40);
}

}  // namespace
}  // namespace gossamer::redis

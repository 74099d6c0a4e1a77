// For tests: a Redis server that answers as a test says, and calls of a shared crawl to it.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "net/connector.h"
#include "redis/client.h"
#include "redis/resp.h"
#include "redis/server_url.h"
#include "tests/redis_model/dataset.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "tests/support/redis_test_server.h"

namespace gossamer::cluster {

inline const redis::Node kScriptedServer = {.host = "8.1.1.1", .port = 7001};

// What the server answers: the first function whose name is in the command, else OK.
class RedisScript {
 public:
  using Answer = std::move_only_function<redis::Reply(const redis::Words& words)>;

  // Answers a command, or a function by its name, in this way.
  void on(const std::string& name, redis::Reply reply) {
    answers_[name] = [reply](const redis::Words&) { return reply; };
  }
  void on(const std::string& name, Answer answer) { answers_[name] = std::move(answer); }
  std::size_t times(const std::string& name) const {
    const auto found = times_.find(name);
    return found == times_.end() ? 0 : found->second;
  }
  redis::Words last;  // the last command

  std::string answer(const redis::Words& words) {
    last = words;
    const std::string& name = words[0] == "FCALL" || words[0] == "FUNCTION" ? words[1] : words[0];
    ++times_[name];
    const auto found = answers_.find(name);
    if (found != answers_.end()) return redis_model::encode(found->second(words));
    if (name == "CLUSTER") return "-ERR This instance has cluster support disabled\r\n";
    return redis_model::encode(redis_model::text("OK"));
  }

 private:
  std::map<std::string, Answer> answers_;
  std::map<std::string, std::size_t> times_;
};

using ScriptPlay = async::Task<void> (*)(redis::Client& client, RedisScript& script);

// BORROWS: the script.
inline async::Task<Result<void>> play_with(RedisScript& script, ScriptPlay play) {
  async::Loop& loop = async::Loop::current();
  redis::RedisTestServer server(loop, kScriptedServer.host, kScriptedServer.port,
                                [&](const redis::Words& words) { return script.answer(words); });
  sim::NamedHosts names(1);
  net::Connector connector(names);
  async::Scope servers(async::OnFailure::keep_going);
  async::Scope connections(async::OnFailure::keep_going);
  servers.spawn(server.run());
  {
    redis::Client client({.connector = &connector}, {.seeds = {kScriptedServer}}, connections);
    EXPECT_TRUE(co_await client.open(loop.now() + 20s));
    co_await play(client, script);
  }
  static_cast<void>(co_await connections.join());
  servers.cancel();
  co_return co_await servers.join();
}

inline void run_script(ScriptPlay play) {
  sim::World world = sim::World::calm();
  RedisScript script;
  static_cast<void>(world.run(play_with(script, play)));
}

inline Instant script_deadline() { return async::Loop::current().now() + 20s; }

inline redis::Reply array_of(std::vector<std::string> all) {
  std::vector<redis::Reply> items;
  for (std::string& each : all) items.push_back(redis_model::text(std::move(each)));
  return redis_model::array(std::move(items));
}

}  // namespace gossamer::cluster

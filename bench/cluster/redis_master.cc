#include "bench/cluster/redis_master.h"

#include <cstdlib>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/check.h"
#include "bench/support/cpu.h"
#include "cluster/health.h"
#include "cluster/shared_crawl.h"

namespace gossamer::bench {

using async::Task;

std::string redis_program() { return find_program("redis-server"); }

RedisMaster::RedisMaster(bool has_replica) {
  const std::string port = std::to_string(kPort);
  servers_.push_back(ChildProcess::execute(
      {redis_program(), "--port", port, "--bind", "127.0.0.1", "--dir", folder_.path(), "--save",
       "", "--appendonly", "yes", "--repl-diskless-sync-delay", "0"},
      kServerCore));
  if (!has_replica) return;
  servers_.push_back(ChildProcess::execute(
      {redis_program(), "--port", std::to_string(kPort + 1), "--bind", "127.0.0.1", "--dir",
       replica_folder_.path(), "--save", "", "--replicaof", "127.0.0.1", port},
      kServerCore));
}

BenchClient::BenchClient(redis::Node node)
    : node_(node),
      client_({.connector = &connector_}, {.seeds = {node}, .connection = {}}, scope_) {}

Task<void> BenchClient::open(int replicas) {
  const Instant deadline = async::Loop::current().now() + 30s;
  const auto opened = co_await client_.open(deadline);
  CHECK(opened.has_value(), "{}", opened.error().to_string());
  while (co_await info("replication", "connected_slaves") < replicas) {
    static_cast<void>(co_await async::sleep(20ms));
  }
  static_cast<void>(co_await ask({"WAIT", std::to_string(replicas), "10000"}));
  const auto loaded = co_await cluster::install_functions(client_, deadline);
  CHECK(loaded.has_value(), "{}", loaded.error().to_string());
}

Task<void> BenchClient::close() {
  client_.close();
  static_cast<void>(co_await scope_.join());
}

Task<redis::Reply> BenchClient::ask(std::vector<std::string> words) {
  auto replies = co_await client_.run_on(node_, redis::Commands().add(words), redis::Lane::quick,
                                         async::Loop::current().now() + 30s);
  CHECK(replies.has_value(), "{}", replies.error().to_string());
  co_return std::move(replies->front());
}

Task<double> BenchClient::info(std::string section, std::string name) {
  const redis::Reply reply = co_await ask({"INFO", std::move(section)});
  const auto facts = cluster::parse_info(reply.text);
  const auto found = facts.find(name);
  co_return found == facts.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

}  // namespace gossamer::bench

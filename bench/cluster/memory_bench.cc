// Measures the memory of URLs in Redis: queued ones, and seen ones after all were fetched. URLs are
// paths of about 48 bytes, in batches of 16.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/cluster/benchmarks.h"
#include "bench/cluster/redis_master.h"
#include "cluster/shared_frontier.h"

namespace gossamer::bench {
namespace {

using async::Task;
using cluster::SharedFrontier;

constexpr std::uint64_t kPerBatch = 16;

struct MemoryUsed {
  double queued = 0;  // bytes per URL that is seen and queued
  double seen = 0;    // bytes per URL that is only seen
};

std::string path_of(std::uint64_t host, std::uint64_t url) {
  return fmt::format("/collections/{}/objects/{:x}/view-{}.html", host % 7,
                     base::hash64(std::to_string(url)) >> 24, url);
}

cluster::FoundUrls batch_of(std::uint64_t host, std::uint64_t first) {
  cluster::FoundUrls found = {.partition = static_cast<std::uint32_t>(host % cluster::kPartitions),
                              .host = fmt::format("www.host-{}.example", host)};
  for (std::uint64_t url = first; url < first + kPerBatch; ++url) {
    const std::string path = path_of(host, url);
    found.fingerprints.push_back(base::hash64(found.host + path));
    found.block += path + '\n';
  }
  return found;
}

// BORROWS: both.
Task<void> fetch_everything(SharedFrontier& frontier, BenchClient& client) {
  for (;;) {
    bool is_idle = true;
    for (std::uint32_t partition = 0; partition < cluster::kPartitions; ++partition) {
      auto leased =
          co_await frontier.lease({.partitions = {partition}, .hosts_max = 64, .urls = 4096});
      CHECK(leased.has_value(), "{}", leased.error().to_string());
      std::vector<cluster::Completion> done;
      for (const cluster::LeasedHost& host : *leased) {
        done.push_back({.partition = host.partition, .host = host.host, .token = host.token});
        done.back().position.batches = host.position.batches + host.batches.size();
      }
      is_idle = is_idle && done.empty();
      if (done.empty()) continue;
      for (const auto& completed : co_await frontier.complete(std::move(done))) {
        CHECK(completed.has_value(), "{}", completed.error().to_string());
      }
    }
    if (is_idle) break;
  }
  static_cast<void>(co_await client.ask({"PING"}));
}

Task<MemoryUsed> fill(redis::Node node, std::uint64_t hosts, std::uint64_t urls) {
  BenchClient client(node);
  co_await client.open(0);
  base::Random random(1);
  SharedFrontier frontier(*client, {.crawl = "memory"}, [&random] { return random.next(); });
  CHECK((co_await frontier.prepare("bench", SharedFrontier::Prepare::make)).has_value());
  const double before = co_await client.info("memory", "used_memory");
  const std::uint64_t batches = urls / hosts / kPerBatch;
  for (std::uint64_t batch = 0; batch < batches; ++batch) {
    std::vector<cluster::FoundUrls> found;
    for (std::uint64_t host = 0; host < hosts; ++host) {
      found.push_back(batch_of(host, batch * kPerBatch));
      if (found.size() < 1024 && host + 1 < hosts) continue;
      const auto added = co_await frontier.add(std::exchange(found, {}));
      CHECK(added.has_value(), "{}", added.error().to_string());
    }
  }
  const auto count = static_cast<double>(batches * kPerBatch * hosts);
  MemoryUsed used;
  used.queued = (co_await client.info("memory", "used_memory") - before) / count;
  co_await fetch_everything(frontier, client);
  used.seen = (co_await client.info("memory", "used_memory") - before) / count;
  co_await client.close();
  co_return used;
}

}  // namespace

void shared_memory(const Options& options, Report& report) {
  if (redis_program().empty()) return report.heading("shared_memory: redis-server is missing");
  report.heading("Memory of a shared crawl in Redis, per URL (plain batches of 16)");
  const std::uint64_t urls = options.quick ? 32'000 : 1'000'000;
  for (const std::uint64_t per_host : {100, 10'000}) {
    const std::uint64_t hosts = std::max<std::uint64_t>(1, urls / per_host);
    const RedisMaster master(false);
    async::Loop loop;
    const MemoryUsed used = loop.run(fill(master.node(), hosts, urls));
    const std::string name = fmt::format("shared_memory/{}_urls_per_host", per_host);
    report.add(
        {.name = name + "/queued", .value = used.queued - used.seen, .unit = "B", .target = 60});
    report.add({.name = name + "/seen", .value = used.seen, .unit = "B", .target = 16});
  }
}

}  // namespace gossamer::bench

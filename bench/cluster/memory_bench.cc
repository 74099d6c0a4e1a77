// Measures the memory of URLs in Redis: queued ones, and seen ones after all were fetched. URLs are
// 70 to 78 bytes long, and a page adds 20 of its host, packed as nodes pack them.
#include <fmt/format.h>

#include <algorithm>
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
#include "node/link_outbox.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

using async::Task;
using cluster::SharedFrontier;

constexpr std::uint64_t kPerPage = 20;
constexpr std::uint64_t kUrlsPerAdd = 16'384;

struct MemoryUsed {
  double queued = 0;  // bytes per URL that is seen and queued
  double seen = 0;    // bytes per URL that is only seen
};

std::string url_of(std::uint64_t host, std::uint64_t number) {
  return fmt::format("https://www.host-{}.example/collections/{}/objects/{:x}/view-{}.html", host,
                     host % 7, base::hash64(std::to_string(number)) >> 24, number);
}

// Adds the links of a page.
void add_links(node::LinkOutbox& outbox, std::uint64_t host, std::uint64_t first) {
  crawler::Target facts;
  facts.depth = 1;
  facts.via = crawler::Referrer(url_of(host, first / kPerPage));
  url::Url url;
  for (std::uint64_t number = first; number < first + kPerPage; ++number) {
    const std::string text = url_of(host, number);
    CHECK(url.assign(text) == url::UrlFailure::none);
    outbox.add(url, base::hash64(text), facts);
  }
}

// BORROWS: both.
Task<void> send(SharedFrontier& frontier, node::LinkOutbox& outbox) {
  const auto added = co_await frontier.add(outbox.pack());
  CHECK(added.has_value(), "{}", added.error().to_string());
  outbox.forget();
}

// BORROWS: the frontier.
Task<void> fetch_everything(SharedFrontier& frontier) {
  for (bool is_idle = false; !is_idle;) {
    is_idle = true;
    for (std::uint32_t partition = 0; partition < cluster::kPartitions; ++partition) {
      auto leased =
          co_await frontier.lease({.partitions = {partition}, .hosts_max = 64, .urls = 4096});
      CHECK(leased.has_value(), "{}", leased.error().to_string());
      std::vector<cluster::Completion> done;
      for (const cluster::LeasedHost& host : *leased) {
        done.push_back({.partition = host.partition, .host = host.host, .token = host.token});
        done.back().position.batches = host.position.batches + host.batches.size();
      }
      if (done.empty()) continue;
      is_idle = false;
      for (const auto& completed : co_await frontier.complete(std::move(done))) {
        CHECK(completed.has_value(), "{}", completed.error().to_string());
      }
    }
  }
}

Task<MemoryUsed> fill(redis::Node node, std::uint64_t hosts, std::uint64_t pages_per_host) {
  BenchClient client(std::move(node));
  co_await client.open(0);
  base::Random random(1);
  SharedFrontier frontier(*client, {.crawl = "memory"}, [&random] { return random.next(); });
  CHECK((co_await frontier.prepare("bench", SharedFrontier::Prepare::make)).has_value());
  const double before = co_await client.info("memory", "used_memory");
  node::LinkOutbox outbox;
  for (std::uint64_t page = 0; page < pages_per_host; ++page) {
    for (std::uint64_t host = 0; host < hosts; ++host) {
      add_links(outbox, host, page * kPerPage);
      if (outbox.size() >= kUrlsPerAdd) co_await send(frontier, outbox);
    }
    co_await send(frontier, outbox);
  }
  const auto counts = co_await frontier.count();
  CHECK(counts.has_value() && counts->found == hosts * pages_per_host * kPerPage);
  const auto count = static_cast<double>(counts->found);
  MemoryUsed used;
  used.queued = (co_await client.info("memory", "used_memory") - before) / count;
  co_await fetch_everything(frontier);
  used.seen = (co_await client.info("memory", "used_memory") - before) / count;
  co_await client.close();
  co_return used;
}

struct MemoryLoad {
  std::uint64_t urls;
  std::uint64_t per_host;
};

}  // namespace

void shared_memory(const Options& options, Report& report) {
  if (redis_program().empty()) return report.heading("shared_memory: redis-server is missing");
  report.heading("Memory of a shared crawl in Redis, per URL");
  constexpr MemoryLoad kLoads[] = {{10'000'000, 100}, {1'000'000, 10'000}};
  for (const MemoryLoad& load : kLoads) {
    const std::uint64_t urls = options.quick ? 40'000 : load.urls;
    const std::uint64_t hosts = std::max<std::uint64_t>(1, urls / load.per_host);
    const RedisMaster master(false);
    async::Loop loop;
    const MemoryUsed used = loop.run(fill(master.node(), hosts, load.per_host / kPerPage));
    const std::string name = fmt::format("shared_memory/{}_hosts_of_{}", hosts, load.per_host);
    report.add(
        {.name = name + "/queued", .value = used.queued - used.seen, .unit = "B", .target = 60});
    report.add({.name = name + "/seen", .value = used.seen, .unit = "B", .target = 16});
  }
}

}  // namespace gossamer::bench

// Measures the cost of a page in the functions of Redis: a worker leases hosts until it has a flush
// of pages, adds their links, and completes them, with a replica and WAIT 1. It does nothing else,
// so this is what nodes (nodes_bench.cc) can reach at best. All links are new; most lead to the
// page's host. The other contestant is what scrapy-redis does.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/cluster/benchmarks.h"
#include "bench/cluster/page_costs.h"
#include "bench/cluster/redis_master.h"
#include "bench/cluster/simulated_pages.h"
#include "bench/support/child_process.h"
#include "cluster/shared_frontier.h"
#include "redis/slot.h"

namespace gossamer::bench {
namespace {

using async::Task;
using cluster::SharedFrontier;

// Pages of a flush: this many hosts with a batch each.
constexpr std::uint32_t kFlushPartitions = 8;
constexpr std::uint32_t kFlushHosts = 2;
constexpr std::uint32_t kFlushUrls = 64;

// Links of pages, packed by host.
class Outbox {
 public:
  explicit Outbox(std::uint64_t seed) : random_(seed) {}

  void add_page(std::uint64_t host, int links) {
    for (int i = 0; i < links; ++i) {
      add(random_.chance(kOutward) ? random_.below(kHosts) : host);
    }
  }
  void add(std::uint64_t host) {
    cluster::FoundUrls& found = open_[host];
    const std::uint64_t number = next_++;
    found.fingerprints.push_back(base::hash64(std::to_string(number)));
    found.block += fmt::format("/collections/objects/{:x}/view.html\n", number);
    if (found.fingerprints.size() == cluster::kBatchMax) close(host, open_.extract(host).mapped());
  }
  std::vector<cluster::FoundUrls> take() {
    for (auto& [host, found] : open_) close(host, std::move(found));
    open_.clear();
    return std::exchange(closed_, {});
  }

 private:
  void close(std::uint64_t host, cluster::FoundUrls found) {
    found.partition = static_cast<std::uint32_t>(host % cluster::kPartitions);
    found.host = std::to_string(host);
    closed_.push_back(std::move(found));
  }

  base::Random random_;
  std::map<std::uint64_t, cluster::FoundUrls> open_;
  std::vector<cluster::FoundUrls> closed_;
  std::uint64_t next_ = 1;
};

// One flush: fetches what was leased. Returns the number of pages. BORROWS: both.
Task<std::uint64_t> flush(SharedFrontier& frontier, Outbox& outbox, std::uint32_t first,
                          int links) {
  std::vector<std::uint32_t> partitions;
  for (std::uint32_t i = 0; i < kFlushPartitions; ++i) {
    partitions.push_back((first + i) % cluster::kPartitions);
  }
  auto leased = co_await frontier.lease(
      {.partitions = std::move(partitions), .hosts_max = kFlushHosts, .urls = kFlushUrls});
  CHECK(leased.has_value(), "{}", leased.error().to_string());
  std::uint64_t pages = 0;
  std::vector<cluster::Completion> done;
  for (const cluster::LeasedHost& host : *leased) {
    std::uint64_t urls = 0;
    for (const cluster::UrlBatch& batch : host.batches) urls += batch.live;
    const std::uint64_t number = std::stoull(host.host);
    for (std::uint64_t i = 0; i < urls; ++i) outbox.add_page(number, links);
    pages += urls;
    done.push_back({.partition = host.partition, .host = host.host, .token = host.token});
    done.back().position.batches = host.position.batches + host.batches.size();
  }
  const auto added = co_await frontier.add(outbox.take());
  CHECK(added.has_value(), "{}", added.error().to_string());
  for (const auto& completed : co_await frontier.complete(std::move(done))) {
    CHECK(completed.has_value(), "{}", completed.error().to_string());
  }
  co_return pages;
}

Task<PageCosts> share(redis::Node node, int links, std::uint64_t pages_min) {
  BenchClient client(node);
  co_await client.open(1);
  base::Random random(1);
  SharedFrontier frontier(*client, {.crawl = "pages", .replicas = 1},
                          [&random] { return random.next(); });
  CHECK((co_await frontier.prepare("bench", SharedFrontier::Prepare::make)).has_value());
  Outbox outbox(2);
  for (std::uint64_t host = 0; host < kHosts; ++host) {
    for (std::uint64_t i = 0; i < kRootsPerHost; ++i) outbox.add(host);
  }
  const auto roots = co_await frontier.add(outbox.take());
  CHECK(roots.has_value(), "{}", roots.error().to_string());
  PageCosts begin = co_await times_so_far(client);
  begin.add(*client);
  std::uint64_t pages = 0;
  for (std::uint32_t turn = 0; pages < pages_min; ++turn) {
    pages += co_await flush(frontier, outbox, turn * kFlushPartitions, links);
  }
  PageCosts end = co_await times_so_far(client);
  end.add(*client);
  co_await client.close();
  co_return per_page(begin, end, pages);
}

}  // namespace

void shared_pages(const Options& options, Report& report) {
  if (redis_program().empty()) return report.heading("shared_pages: redis-server is missing");
  report.heading("A page of a shared crawl, with a replica and WAIT 1; floor: a list and a set");
  for (const int links : {2, 5, 15, 60}) {
    const std::uint64_t pages =
        (options.quick ? 4'000 : 400'000) / static_cast<std::uint64_t>(links);
    const PageCosts ours = measure_in_child([&] {
      const RedisMaster master(true);
      async::Loop loop;
      return loop.run(share(master.node(), links, pages));
    });
    const PageCosts floor = crawl_with_list_and_set(links, pages / 10);
    const std::string name = fmt::format("shared_pages/{}_links", links);
    report_costs(name, ours, floor, links == 5, report);
  }
}

}  // namespace gossamer::bench

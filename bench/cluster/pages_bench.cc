// Measures the cost of a page in Redis and in a worker. Fetches take no time, so that the frontier
// is the bottleneck: a worker leases hosts until it has a flush of pages, adds their links, and
// completes them, with a replica and WAIT 1. All links are new; most lead to the page's host. The
// other contestant is what scrapy-redis does: a list of URLs and a set of fingerprints, one command
// for each link.
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
#include "bench/cluster/redis_master.h"
#include "bench/support/cpu.h"
#include "cluster/shared_frontier.h"
#include "redis/slot.h"

namespace gossamer::bench {
namespace {

using async::Task;
using cluster::SharedFrontier;

constexpr std::uint64_t kHosts = 10'000;
// Pages of a flush: this many hosts with a batch each.
constexpr std::uint32_t kFlushPartitions = 8;
constexpr std::uint32_t kFlushHosts = 2;
constexpr std::uint32_t kFlushUrls = 64;
constexpr double kOutward = 0.2;  // of the links

struct PageCosts {
  double server_us = 0;  // of the master's main thread
  double worker_us = 0;
  double calls = 0;
  double round_trips = 0;
};

// The sums at a moment, for the differences between two of them.
struct Sums {
  double server_us = 0;
  double worker_us = 0;
  double calls = 0;
  double round_trips = 0;
};

// BORROWS: the client.
Task<Sums> sums(BenchClient& client) {
  Sums now;
  now.calls = static_cast<double>(client->counts().commands);
  now.round_trips = static_cast<double>(client->counts().round_trips);
  now.worker_us = process_cpu_time().total_us();
  now.server_us = 1e6 * (co_await client.info("cpu", "used_cpu_user_main_thread") +
                         co_await client.info("cpu", "used_cpu_sys_main_thread"));
  co_return now;
}

PageCosts per_page(const Sums& begin, const Sums& end, std::uint64_t pages) {
  const auto count = static_cast<double>(pages);
  return {.server_us = (end.server_us - begin.server_us) / count,
          .worker_us = (end.worker_us - begin.worker_us) / count,
          .calls = (end.calls - begin.calls) / count,
          .round_trips = (end.round_trips - begin.round_trips) / count};
}

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
    for (int i = 0; i < 64; ++i) outbox.add(host);
  }
  const auto roots = co_await frontier.add(outbox.take());
  CHECK(roots.has_value(), "{}", roots.error().to_string());
  const Sums begin = co_await sums(client);
  std::uint64_t pages = 0;
  for (std::uint32_t turn = 0; pages < pages_min; ++turn) {
    pages += co_await flush(frontier, outbox, turn * kFlushPartitions, links);
  }
  const PageCosts costs = per_page(begin, co_await sums(client), pages);
  co_await client.close();
  co_return costs;
}

// scrapy-redis: pop a URL; for each link SADD, and LPUSH if it is new.
Task<PageCosts> list_and_set(redis::Node node, int links, std::uint64_t pages) {
  BenchClient client(node);
  co_await client.open(1);
  static_cast<void>(co_await client.ask({"LPUSH", "queue", "/"}));
  std::uint64_t next = 1;
  const Sums begin = co_await sums(client);
  for (std::uint64_t page = 0; page < pages; ++page) {
    static_cast<void>(co_await client.ask({"RPOP", "queue"}));
    for (int i = 0; i < links; ++i) {
      const std::uint64_t number = next++;
      // A fingerprint of scrapy has 40 digits.
      const std::string fingerprint =
          fmt::format("{:016x}{:024x}", base::hash64(std::to_string(number)), number);
      static_cast<void>(co_await client.ask({"SADD", "seen", fingerprint}));
      static_cast<void>(co_await client.ask(
          {"LPUSH", "queue", fmt::format("/collections/objects/{:x}/view.html", number)}));
    }
  }
  const PageCosts costs = per_page(begin, co_await sums(client), pages);
  co_await client.close();
  co_return costs;
}

}  // namespace

void shared_pages(const Options& options, Report& report) {
  if (redis_program().empty()) return report.heading("shared_pages: redis-server is missing");
  report.heading("A page of a shared crawl, with a replica and WAIT 1; floor: a list and a set");
  for (const int links : {2, 5, 15, 60}) {
    const std::uint64_t pages =
        (options.quick ? 4'000 : 400'000) / static_cast<std::uint64_t>(links);
    const auto run = [&](auto work, std::uint64_t count) {
      return measure_in_child([&]() -> PageCosts {
        const RedisMaster master(true);
        async::Loop loop;
        return loop.run(work(master.node(), links, count));
      });
    };
    const PageCosts ours = run(share, pages);
    const PageCosts floor = run(list_and_set, pages / 10);
    const std::string name = fmt::format("shared_pages/{}_links", links);
    const bool is_target = links == 5;
    report.add({.name = name + "/redis",
                .value = ours.server_us,
                .unit = "us",
                .floor = floor.server_us,
                .target = is_target ? std::optional(50.0) : std::nullopt});
    report.add({.name = name + "/worker",
                .value = ours.worker_us,
                .unit = "us",
                .floor = floor.worker_us});
    report.add({.name = name + "/calls",
                .value = 1000 * ours.calls,
                .unit = "per 1k",
                .floor = 1000 * floor.calls,
                .target = is_target ? std::optional(300.0) : std::nullopt});
    report.add({.name = name + "/round_trips",
                .value = 1000 * ours.round_trips,
                .unit = "per 1k",
                .floor = 1000 * floor.round_trips,
                .target = is_target ? std::optional(50.0) : std::nullopt});
  }
}

}  // namespace gossamer::bench

// Compares a crawl on one loop with one on two, each with a thread and a core, in simulated worlds.
// No kernel and no other process takes part, so the effects of the loops on each other are visible.
// Every world holds the whole site; links between hosts of different loops, and all records, pass
// between the threads as in the program.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "base/check.h"
#include "base/random.h"
#include "bench/crawl/benchmarks.h"
#include "bench/crawl/simulated_site.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"
#include "crawl/frontier/frontier_options.h"
#include "crawl/shards/shards.h"
#include "crawl/shards/sink_relay.h"
#include "http/client.h"
#include "net/caching_resolver.h"
#include "net/connector.h"
#include "tests/simulated/fleet.h"
#include "tests/simulated/named_hosts.h"

namespace gossamer::bench {
namespace {

constexpr std::size_t kLoopsMax = 2;
constexpr double kSpeedUpMin = 1.8;
constexpr std::size_t kThreadsHosts = 256;
constexpr std::uint64_t kPagesPerHost = 60;
constexpr std::uint32_t kThreadsAtOnce = 64;
// More than any difference of the clocks: loops wait only for work.
constexpr Duration kSlack = 10s;

struct CrewCost {
  double pages = 0;
  double wall_us = 0;
  std::array<double, kLoopsMax> cpu_us = {};  // of each loop

  double all_us() const { return cpu_us[0] + cpu_us[1]; }
  // The wall time on an idle machine.
  double busiest_us() const { return std::max(cpu_us[0], cpu_us[1]); }
};

// Formats each record as the program does, and drops it.
class LineSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override {
    ++pages_;
    bytes_ += crawler::to_json(page.record).size();
    co_return {};
  }
  std::uint64_t pages() const { return pages_; }

 private:
  std::uint64_t pages_ = 0;
  std::uint64_t bytes_ = 0;
};

crawler::Options crawl_options(const SimulatedSite& site) {
  crawler::Options options;
  options.roots = {site.root()};
  options.scope.kind = crawler::ScopeKind::any;
  options.concurrency = kThreadsAtOnce;
  return options;
}

// The loops of one crawl.
class Crew {
 public:
  // BORROWS: the site.
  Crew(const SimulatedSite& site, std::size_t loops)
      : site_(site),
        options_(crawler::frontier_options(crawl_options(site), true)),
        shards_(loops, options_),
        relays_(loops),
        start_(static_cast<std::ptrdiff_t>(loops)) {}

  CrewCost run() {
    // Keeps freed memory of the simulated network instead of returning it to the kernel and
    // allocating it again, which is not work of the crawl.
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    sim::run_fleet(shards_.count(), sim::calm_options(), kSlack,
                   [this](sim::World& world, std::size_t index) {
                     claim_core(static_cast<int>(index));
                     if (index == 0) make_relays(world.loop());
                     start_.arrive_and_wait();
                     world.run(live(index));
                   });
    cost_.pages = static_cast<double>(sink_.pages());
    CHECK(sink_.pages() == site_.pages(), "{} pages instead of {}", sink_.pages(), site_.pages());
    return cost_;
  }

 private:
  void make_relays(async::Loop& loop) {
    for (std::size_t i = 1; i < relays_.size(); ++i) {
      relays_[i] = std::make_unique<crawler::SinkRelay>(sink_, loop);
    }
  }

  // BORROWS: the crew.
  async::Task<void> live(std::size_t index) {
    base::Random random(index);
    sim::NamedHosts names(index);
    async::Scope servers(async::OnFailure::keep_going);
    async::Scope background(async::OnFailure::keep_going);
    for (const SimulatedSite::Host& host : site_.hosts()) {
      names.add(host.name, host.address);
      servers.spawn(site_.serve(host));
    }
    {
      net::CachingResolver resolver(names, background);
      net::Connector connector(resolver, net::AddressGuard({.allow_private = true}));
      http::ClientOptions client_options;
      client_options.pool.connections_max = kThreadsHosts * 4;
      http::Client client(connector, nullptr, std::move(client_options));
      crawler::World world = {.client = client,
                              .resolver = &resolver,
                              .random = random,
                              .wall_start = {.seconds = 1'700'000'000},
                              .loop_start = async::Loop::current().now()};
      co_await crawl(world, index);
      client.close_idle();
      background.cancel();
      static_cast<void>(co_await background.join());
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
  }

  // BORROWS: the crew and the world.
  async::Task<void> crawl(crawler::World& world, std::size_t index) {
    async::Loop& loop = async::Loop::current();
    async::Scope relaying(async::OnFailure::keep_going);
    const double wall = wall_ns();
    const CpuTime cpu = thread_cpu_time();
    for (std::size_t i = 1; index == 0 && i < relays_.size(); ++i) {
      relaying.spawn(relays_[i]->run());
    }
    if (index > 0) relays_[index]->connect(loop);
    // With one loop there are no shards, as in the program.
    crawler::Shard* const shard = shards_.count() == 1 ? nullptr : &shards_[index];
    crawler::Frontier frontier(loop, options_, shard == nullptr ? nullptr : shards_.share());
    wire::CookieJar cookies;
    crawler::PageSink& sink = index == 0 ? static_cast<crawler::PageSink&>(sink_) : *relays_[index];
    crawler::Engine engine(world, crawl_options(site_), frontier, sink, cookies, shard);
    if (shard != nullptr) shard->join_in(loop, engine);
    CHECK(co_await engine.run());
    if (shard != nullptr) CHECK(co_await shard->leave());
    for (std::size_t i = 1; index == 0 && i < relays_.size(); ++i) relays_[i]->finish();
    if (index > 0) relays_[index]->disconnect();
    static_cast<void>(co_await relaying.join());
    cost_.cpu_us[index] = (thread_cpu_time() - cpu).total_us();
    if (index == 0) cost_.wall_us = (wall_ns() - wall) / 1000;
  }

  const SimulatedSite& site_;
  const crawler::FrontierOptions options_;
  crawler::Shards shards_;
  std::vector<std::unique_ptr<crawler::SinkRelay>> relays_;  // none for the first loop
  std::barrier<> start_;
  LineSink sink_;  // the first loop's
  CrewCost cost_;
};

}  // namespace

void threads(const Options& options, Report& report) {
  const SimulatedSite site(kThreadsHosts, options.quick ? kPagesPerHost / 6 : kPagesPerHost);
  const Disturbance disturbance;
  const auto costs = in_turns(options.quick ? 1 : 5, kLoopsMax, [&](std::size_t i) {
    return measure_in_child([&] { return Crew(site, i + 1).run(); });
  });
  const auto median_of = [&](std::size_t loops, auto value) {
    std::vector<double> values;
    for (const CrewCost& cost : costs[loops - 1]) values.push_back(value(cost) / cost.pages);
    return median(std::move(values));
  };
  const auto wall = [](const CrewCost& cost) { return cost.wall_us; };
  const auto busiest = [](const CrewCost& cost) { return cost.busiest_us(); };
  const auto all = [](const CrewCost& cost) { return cost.all_us(); };
  report.heading(fmt::format(
      "threads: {} pages of {} hosts; others took {:.0f} % of the time. Pages a second by the "
      "wall: "
      "{:.0f} on one loop, {:.0f} on two; by CPU time of the busiest loop: {:.2f} times as many",
      site.pages(), kThreadsHosts, disturbance.share() * 100, 1e6 / median_of(1, wall),
      1e6 / median_of(2, wall), median_of(1, busiest) / median_of(2, busiest)));
  const double one = median_of(1, all);
  report.add({.name = "threads: CPU per page, one loop", .value = one, .unit = "us"});
  report.add({.name = "threads: CPU per page, two loops",
              .value = median_of(2, all),
              .unit = "us",
              .floor = one});
  report.add({.name = "threads: CPU of the busiest of two, of one",
              .value = median_of(2, busiest) / one,
              .unit = "",
              .target = 1 / kSpeedUpMin});
  report.add({.name = "threads: wall of two, of one",
              .value = median_of(2, wall) / median_of(1, wall),
              .unit = "",
              .target = 1 / kSpeedUpMin});
}

}  // namespace gossamer::bench

#include "run/shared/shared_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "cluster/health.h"
#include "redis/server_url.h"
#include "run/shared/cluster_work.h"

namespace gossamer::run {
namespace {

constexpr Duration kSharedOpenPatience = 20s;
// Until the replica of a master has replaced it.
constexpr Duration kFailoverPatience = 60s;
constexpr Duration kFailoverPause = 1s;
// For loading functions, before it looks again which servers are masters.
constexpr Duration kLoadPatience = 5s;
// For giving everything back at the end.
constexpr Duration kLeavePatience = 10s;
// A node without a sign of life for this long is forgotten; its hosts were leased again before.
constexpr Duration kLostAfterMin = 60s;
// Hosts that a node leases, per concurrent fetch: most hosts are paused at any time.
constexpr std::size_t kHostsPerFetch = 8;
constexpr std::size_t kHostsMin = 16;
constexpr std::size_t kHostsMax = 4096;

Instant now_and(Duration time) { return base::add_saturating(async::Loop::current().now(), time); }
Instant soon() { return now_and(kSharedOpenPatience); }

std::string name_of_node(Machine& machine) {
  return fmt::format("{}-{:08x}", machine.process_name(), machine.draw() >> 32);
}

redis::Access through(net::Connector& connector, redis::Access access) {
  access.connector = &connector;
  return access;
}

}  // namespace

Duration SharedRun::lost_after() const { return std::max<Duration>(kLostAfterMin, 2 * lease_); }

SharedRun::SharedRun(const CrawlSettings& settings, net::Resolver& resolver, redis::ServerUrl url,
                     redis::Access access, async::Scope& connections, Machine& machine)
    : machine_(machine),
      crawl_name_(std::move(url.crawl)),
      node_name_(name_of_node(machine)),
      lease_(settings.cluster.lease),
      concurrency_(settings.concurrency),
      loops_(settings.threads),
      connector_(resolver),
      client_(through(connector_, std::move(access)),
              {.seeds = std::move(url.seeds), .connection = {}}, connections) {}

async::Task<Result<std::string>> SharedRun::read_settings(const ClusterSettings& cluster,
                                                          net::Resolver& resolver,
                                                          async::Scope& connections) {
  auto url = redis::parse_server_url(cluster.url);
  if (!url) co_return fail(std::move(url).error());
  auto access = access_of(cluster, *url);
  if (!access) co_return fail(std::move(access).error());
  net::Connector connector(resolver);
  redis::Client client(through(connector, std::move(*access)),
                       {.seeds = url->seeds, .connection = {}}, connections);
  if (auto opened = co_await client.open(soon()); !opened) {
    co_return fail(std::move(opened).error());
  }
  cluster::SharedCrawl crawl(client, {.crawl = url->crawl, .node = {}});
  auto facts = co_await crawl.facts();
  if (!facts) co_return fail(std::move(facts).error());
  co_return std::move(facts->settings);
}

async::Task<Result<std::unique_ptr<SharedRun>>> SharedRun::join(const CrawlSettings& settings,
                                                                net::Resolver& resolver,
                                                                async::Scope& connections,
                                                                Machine& machine, Say say) {
  auto url = redis::parse_server_url(settings.cluster.url);
  if (!url) co_return fail(std::move(url).error());
  auto access = access_of(settings.cluster, *url);
  if (!access) co_return fail(std::move(access).error());
  std::unique_ptr<SharedRun> run(
      new SharedRun(settings, resolver, std::move(*url), std::move(*access), connections, machine));
  auto joined = co_await run->join_patiently(settings, std::move(say));
  if (joined) co_return run;
  co_await run->close();
  co_return fail(std::move(joined).error());
}

async::Task<void> SharedRun::close() {
  if (is_member_) static_cast<void>(co_await async::shielded(leave()));
  client_.close();
}

async::Task<Result<void>> SharedRun::leave() {
  is_member_ = false;
  co_return co_await async::with_timeout(kLeavePatience, crawl_->leave(0));
}

async::Task<Result<void>> SharedRun::join_patiently(const CrawlSettings& settings, Say say) {
  if (auto opened = co_await client_.open(soon()); !opened) co_return opened;
  const Instant deadline = now_and(kFailoverPatience);
  for (bool is_told = false;; is_told = true) {
    auto joined = co_await join_crawl(settings);
    if (joined || !cluster::may_pass(joined.error().code())) co_return joined;
    if (now_and(kFailoverPause) >= deadline) co_return joined;
    if (!is_told) say("this node waits to join the shared crawl: " + joined.error().message());
    if (auto slept = co_await async::sleep(kFailoverPause); !slept) co_return slept;
    static_cast<void>(co_await client_.reload(soon()));
  }
}

async::Task<Result<void>> SharedRun::join_crawl(const CrawlSettings& settings) {
  auto loaded = co_await cluster::install_functions(client_, now_and(kLoadPatience));
  if (!loaded) co_return loaded;
  const auto health = co_await cluster::examine(client_, soon());
  if (!health) co_return fail(health.error().copy());
  for (const cluster::Finding& finding : cluster::judge(*health)) {
    if (finding.weight != cluster::Finding::Weight::fatal) continue;
    co_return fail(
        Errc::unsupported,
        fmt::format("{}{}{}", finding.server, finding.server.empty() ? "" : ": ", finding.text));
  }
  // A replica of every master must have what a call changes, if every master has one.
  std::uint32_t replicas = 1;
  for (const cluster::ServerFacts& master : health->masters) {
    if (master.replicas == 0) replicas = 0;
  }
  cluster::SharedCrawlOptions options = {
      .crawl = crawl_name_, .node = node_name_, .lost_after = lost_after(), .replicas = replicas};
  crawl_.emplace(client_, std::move(options));
  auto facts = co_await crawl_->join(
      {.settings = settings.cluster.agreed,
       .replicas = replicas,
       .pages_max = settings.pages_max,
       .identity = fmt::format("{:016x}{:016x}", machine_.draw(), machine_.draw())});
  if (!facts) co_return fail(std::move(facts).error());
  is_member_ = true;
  facts_ = std::move(*facts);
  const crawler::TrapOptions& traps = settings.traps;
  frontier_.emplace(client_,
                    cluster::SharedFrontierOptions{
                        .crawl = crawl_name_,
                        .partitions = machine_.partitions(),
                        .replicas = facts_.replicas,
                        .ttl = lease_,
                        .margin = std::min<Duration>(2s, lease_ / 5),
                        .hosts_per_domain_max = traps.domain_hosts ? traps.hosts_per_domain_max : 0,
                        .is_level_by_level = crawler::is_level_by_level(settings)},
                    [this] { return machine_.draw(); });
  using Prepare = cluster::SharedFrontier::Prepare;
  co_return co_await frontier_->prepare(facts_.identity,
                                        facts_.has_begun ? Prepare::verify : Prepare::make);
}

std::shared_ptr<crawler::FrontierShare> SharedRun::make_node(
    const crawler::FrontierOptions& options, crawler::Peers* loops) {
  crawler::FrontierOptions shared = options;
  shared.pages_max.reset();
  // The pages come from Redis, in blocks.
  if (facts_.pages_left) shared.pages_max = 0;
  share_ = std::make_shared<crawler::FrontierShare>(shared);
  share_->pauses.share_rate(loops_);
  node_.emplace(node::SharedNode::Servers{client_, *crawl_, *frontier_}, share_->work,
                node::NodeOptions{
                    .crawl = crawl_name_,
                    .number = machine_.draw(),
                    .ttl = lease_,
                    .lost_after = lost_after(),
                    .address_gap = options.politeness.address_gap,
                    .hosts_max = std::clamp(concurrency_ * kHostsPerFetch, kHostsMin, kHostsMax),
                    .facts = facts_,
                    .loops = loops});
  return share_;
}

async::Task<Result<crawler::EndReason>> SharedRun::crawl(Parts parts) {
  node_->join_in(parts.engine, parts.frontier, parts.cookies, parts.process);
  share_->pauses.share_addresses([this](const async::Endpoint& address, Instant now) {
    return node_->start_at(address, now);
  });
  async::Scope tasks(async::OnFailure::keep_going);
  tasks.spawn(node_->run());
  auto end = co_await parts.engine.run();
  tasks.cancel();
  static_cast<void>(co_await tasks.join());
  const auto failed = parts.engine.failure_reason().value_or(crawler::EndReason::failed);
  is_member_ = false;
  // Also if it lost the crawl: perhaps only a part of Redis is lost.
  auto left = co_await async::with_timeout(kLeavePatience, node_->leave(end ? *end : failed));
  const bool is_known = !end && failed == crawler::EndReason::cluster_failed;
  if (!left && left.error() != Errc::cancelled && !is_known) {
    parts.process.say("the hosts of this node could not be released: " + left.error().message());
  }
  co_return end;
}

}  // namespace gossamer::run

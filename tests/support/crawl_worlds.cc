#include <fmt/format.h>
#include <tests/support/crawl_worlds.h>

#include <algorithm>
#include <map>
#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/timeout.h"
#include "tests/simulated/named_hosts.h"
#include "tests/site_server/test_sites.h"

namespace gossamer::sim {

Plan draw_plan(std::uint64_t seed) {
  base::Random random = base::Random(seed).fork("crawl");
  Plan plan;
  plan.is_calm = random.chance(0.25);
  plan.is_stranger = random.chance(0.5);
  plan.world = plan.is_calm ? calm_options(seed) : draw_options(seed);
  plan.site = site::drawn_site(seed);
  plan.site.hosts = {"site.example", "www.site.example", "other.example"};
  plan.site.hosts.resize(1 + random.below(3));
  if (plan.is_calm) {
    site::set_faults(plan.site, site::FaultLevel::none);
  } else if (random.chance(0.5)) {
    site::set_faults(plan.site,
                     random.chance(0.5) ? site::FaultLevel::some : site::FaultLevel::many);
  }
  if (random.chance(0.2)) plan.site.crawl_delay = draw({Duration::zero(), 5s}, random);
  plan.truth.uses_sitemaps = random.chance(0.3);
  plan.truth.with_assets = random.chance(0.3);
  plan.truth.follows_nofollow = random.chance(0.3);
  if (random.chance(0.3)) plan.truth.depth_max = static_cast<std::uint32_t>(random.below(5));
  // The second host differs by its "www." alone, so it is of the crawl, too.
  plan.truth.roots = {0};
  if (plan.site.hosts.size() > 1) plan.truth.roots.push_back(1);
  if (plan.site.hosts.size() > 2 && random.chance(0.7)) plan.truth.roots.push_back(2);
  plan.shards = 1 + random.below(3);
  // With a limit of depth, what is found while a host is down may be nearer by way of that host.
  plan.has_outages = random.chance(0.5) && !plan.is_calm && !plan.truth.depth_max;
  return plan;
}

std::vector<std::optional<Outage>> draw_outages(const Plan& plan, OutageLength longest,
                                                base::Random& random) {
  std::vector<std::optional<Outage>> outages(plan.site.hosts.size());
  if (!plan.has_outages) return outages;
  for (std::optional<Outage>& outage : outages) {
    if (random.chance(0.3)) continue;
    outage.emplace();
    outage->begin = draw({Duration::zero(), plan.is_stranger ? Duration(60s) : 2s}, random);
    outage->is_silent = random.chance(0.3);
    const auto length =
        static_cast<OutageLength>(random.below(static_cast<std::uint64_t>(longest) + 1));
    if (length == OutageLength::seconds) outage->length = draw({Duration(1s), 20s}, random);
    if (length == OutageLength::minutes) outage->length = draw({Duration(20s), 10min}, random);
  }
  return outages;
}

run::CrawlSettings crawl_settings(const Plan& plan, const site::Site& site) {
  run::CrawlSettings settings;
  for (const std::uint32_t host : plan.truth.roots) settings.roots.push_back(site.root(host));
  if (plan.has_front) settings.roots.front() = kFront;
  settings.reads_sitemaps = plan.truth.uses_sitemaps;
  settings.scope.assets = plan.truth.with_assets;
  settings.obeys_nofollow = !plan.truth.follows_nofollow;
  settings.scope.depth_max = plan.truth.depth_max;
  // Enough tries to fetch every reachable page in the end.
  settings.tries_max = 40;
  settings.politeness.failures_max = plan.has_outages ? 30 : 60'000;
  settings.politeness.outage_max = 2h;  // longer than all tries of the last pages take
  settings.politeness.refusals_max = 60'000;
  settings.politeness.backoff_max = 30s;
  settings.web.guard.allow_private = true;
  settings.web.client.deadlines.first_byte = 30s;
  return settings;
}

namespace {

// Serves a host until it is cancelled, except during its outage. BORROWS: the server.
async::Task<Result<void>> serve_host(site::SiteServer& server, async::Endpoint at,
                                     std::optional<Outage> outage) {
  if (!outage) co_return co_await server.run(at);
  auto served = co_await async::with_timeout(outage->begin, server.run(at));
  if (!served && served.error() == Errc::cancelled) co_return served;
  std::optional<async::Listener> silent;
  if (outage->is_silent) {
    auto listener = async::Listener::bind(at);
    if (!listener) co_return fail(std::move(listener).error());
    silent.emplace(std::move(*listener));
  }
  if (auto slept = co_await async::sleep(outage->length); !slept) co_return slept;
  silent.reset();
  co_return co_await server.run(at);
}

// Redirects every request except robots.txt, which does not exist.
async::Task<Result<void>> redirect(async::Socket socket, std::string place) {
  std::string heard;
  for (;;) {
    while (!heard.contains("\r\n\r\n")) {
      auto lent = co_await socket.receive();
      if (!lent) co_return fail(std::move(lent).error());
      if (lent->end()) co_return {};
      heard += as_text(lent->bytes());
    }
    const bool is_robots = heard.contains("robots.txt");
    heard.clear();
    const std::string answer =
        is_robots
            ? "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"
            : fmt::format("HTTP/1.1 301 Moved\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", place);
    if (auto sent = co_await socket.send(as_bytes(answer)); !sent) {
      co_return fail(std::move(sent).error());
    }
  }
}

async::Task<Result<void>> serve_front(async::Endpoint at, std::string place) {
  auto listener = async::Listener::bind(at);
  if (!listener) co_return fail(std::move(listener).error());
  async::Scope scope(async::OnFailure::keep_going);
  while (auto socket = co_await listener->accept()) {
    scope.spawn(redirect(std::move(*socket), place));
  }
  scope.cancel();
  co_return co_await scope.join();
}

}  // namespace

async::Task<std::vector<site::LogEntry>> live_beside(const Plan& plan, const site::Site& site,
                                                     Fate& fate, Inhabitant inhabitant) {
  NamedHostsOptions weather =
      plan.is_calm ? NamedHostsOptions() : NamedHostsOptions::stormy(fate.random);
  weather.fails *= plan.name_faults;
  weather.goes_silent *= plan.name_faults;
  NamedHosts names(fate.seed, weather);
  async::Scope servers(async::OnFailure::keep_going);
  site::SiteServer server(site, {.idle_max = 300s});
  for (std::size_t i = 0; i < plan.site.hosts.size(); ++i) {
    names.add(plan.site.hosts[i], plan.address_of(i));
    const auto outage = i < fate.outages.size() ? fate.outages[i] : std::nullopt;
    servers.spawn(serve_host(server, plan.address_of(i), outage));
  }
  if (plan.has_front) {
    const async::Endpoint front = plan.address_of(plan.site.hosts.size());
    names.add("front.example", front);
    servers.spawn(serve_front(front, site.root(0)));
  }
  co_await inhabitant(names);
  servers.cancel();
  static_cast<void>(co_await servers.join());
  co_return server.log();
}

Judge::Judge(const Plan& plan, const Outcome& outcome)
    : plan_(plan),
      outcome_(outcome),
      truth_(site::Site(plan.site).truth(plan.truth)),
      problems_(outcome.problems) {
  for (const site::TruthEntry& entry : truth_.entries) {
    if (entry.next_url == entry.url) loops_.insert(entry.url);
  }
}

std::vector<std::string> Judge::problems() {
  check_records();
  check_requests();
  check_pauses();
  return take_problems();
}

void Judge::check_records() {
  std::map<std::string, const site::TruthEntry*> wanted;
  for (const site::TruthEntry& entry : truth_.entries) {
    if (entry.must_fetch) wanted.emplace(entry.url, &entry);
  }
  std::set<std::string> got;
  for (const crawler::FetchRecord& record : outcome_.records) {
    const std::string url = normal(record.url);
    if (plan_.has_front && url == kFront) {
      if (record.status != 301) problem("the front did not answer");
      continue;
    }
    if (!got.insert(url).second && !loops_.contains(url)) problem("two records of " + url);
    if (is_sitemap(url)) continue;
    const auto found = wanted.find(url);
    if (found == wanted.end()) {
      problem("not to be fetched: " + record.url);
      continue;
    }
    if (record.status.value_or(0) != found->second->status) {
      problem(fmt::format("{} has status {}, not {}: {}", record.url, record.status.value_or(0),
                          found->second->status, record.error_detail));
    }
    if (normal(record.next_url) != found->second->next_url)
      problem("elsewhere: " + record.next_url);
    if (plan_.truth.depth_max && record.depth != found->second->depth) {
      problem(fmt::format("{} is at depth {}, not {}, via {}", record.url, record.depth,
                          found->second->depth, record.via));
    }
  }
  for (const auto& [url, entry] : wanted) {
    if (!got.contains(url)) problem("never fetched: " + url);
  }
}

void Judge::check_requests() {
  std::set<std::string> hosts;
  std::map<std::string, std::size_t> times;
  for (const site::LogEntry& entry : outcome_.log) {
    const std::string url = normal("http://" + entry.host + entry.target);
    const bool is_robots = entry.target == "/robots.txt";
    if (hosts.insert(entry.host).second && !is_robots) problem("a page before robots.txt: " + url);
    const bool is_again = ++times[url] > 1 && !loops_.contains(url);
    if (is_again && plan_.is_calm) problem("fetched twice: " + url);
  }
  for (const site::TruthEntry& entry : truth_.entries) {
    if (!entry.is_allowed && times.contains(entry.url)) problem("forbidden: " + entry.url);
  }
}

// By the servers' clocks. A request may be late on the way by what the network does.
void Judge::check_pauses() {
  if (!plan_.is_stranger) return;
  const NetworkOptions& network = plan_.world.network;
  const Duration late = network.delay.most + network.jitter;
  const Duration wanted = plan_.site.has_robots ? plan_.site.crawl_delay : Duration::zero();
  const Duration pause = std::max<Duration>(1s, wanted - 10ms);  // it is written in decimals
  std::map<std::string, const site::LogEntry*> last;
  for (const site::LogEntry& entry : outcome_.log) {
    const site::LogEntry* const before = std::exchange(last[entry.host], &entry);
    if (before == nullptr) continue;
    // A request on a dying connection is repeated immediately on another one; its response, even if
    // sent, never arrived.
    if (before->target == entry.target) continue;
    const Duration gap = entry.begun - before->begun;
    const bool knows_rules = entry.target != "/robots.txt" && before->target != "/robots.txt";
    if (gap < (knows_rules ? pause : Duration(1s)) - late) {
      problem(fmt::format("{} after {}", entry.target, base::to_string(gap)));
    }
  }
}

std::string Judge::normal(const std::string& text) {
  const auto url = url::Url::parse(text);
  return url ? std::string(identity_.normal_form(*url)) : text;
}

}  // namespace gossamer::sim

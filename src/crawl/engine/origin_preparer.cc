#include "engine/origin_preparer.h"

#include <optional>
#include <string>
#include <utility>

#include "async/loop.h"
#include "base/check.h"
#include "net/special_address.h"

namespace gossamer::crawler {
namespace {

// Returns one address that represents all of a host; hosts with the same addresses get the same
// one. Local addresses come last: the guard drops them if there are others.
struct Whereabouts {
  async::Endpoint address;
  bool is_own = false;
};

std::optional<Whereabouts> whereabouts(const net::Addresses& addresses) {
  std::optional<Whereabouts> best;
  for (const auto* const family : {&addresses.v4, &addresses.v6}) {
    for (const async::Endpoint& address : *family) {
      const Whereabouts other = {address, net::is_local(net::kind_of(address))};
      const bool is_better = !best || (best->is_own && !other.is_own) ||
                             (best->is_own == other.is_own && other.address < best->address);
      if (is_better) best = other;
    }
  }
  return best;
}

}  // namespace

OriginPreparer::OriginPreparer(World& world, const Options& options, Frontier& frontier,
                               LinkIntake& intake, PageSink& sink, BodyMemory& memory,
                               EngineEvents& events)
    : world_(world),
      options_(options),
      frontier_(frontier),
      intake_(intake),
      sink_(sink),
      memory_(memory),
      events_(events) {}

bool OriginPreparer::spend_try(Claim& claim) const {
  if (claim.target.tries + 1U >= options_.tries_max) return false;
  ++claim.target.tries;
  return true;
}

// Waits for a host that answered before; the frontier decides when that has taken too long.
bool OriginPreparer::has_tries(Claim& claim) const {
  return spend_try(claim) || frontier_.has_answered(claim);
}

async::Task<Result<void>> OriginPreparer::resolve(Claim& claim) {
  const auto origin = url::Url::parse(claim.origin());
  CHECK(origin.has_value(), "{} is not an origin", claim.origin());
  CHECK(world_.resolver != nullptr, "without a resolver, the frontier needs no addresses");
  std::string host(origin->hostname());
  auto addresses = co_await world_.resolver->look_up(std::move(host));
  if (addresses && !addresses->empty()) {
    const auto found = whereabouts(*addresses);
    frontier_.resolved(std::move(claim), found->address, found->is_own);
    co_return {};
  }
  if (!addresses && addresses.error() == Errc::cancelled) co_return fail(Errc::cancelled);
  if (!addresses && addresses.error() == Errc::no_resources) {
    static_cast<void>(frontier_.retry(std::move(claim), HostSign::none, std::nullopt));
    co_return co_await events_.on_shortage();
  }
  // A missing name is final; a name server that does not answer may recover.
  if (!addresses && has_tries(claim)) {
    const std::string name(claim.origin());
    if (frontier_.retry(std::move(claim), HostSign::failed, std::nullopt)) events_.on_parked(name);
    co_return {};
  }
  close(std::move(claim),
        {.reason = SkipReason::none,
         .failure = Errc::dns_failed,
         .detail = addresses ? "the name has no address" : addresses.error().to_string()});
  co_return {};
}

async::Task<Result<void>> OriginPreparer::fetch_rules(Claim& claim) {
  const WallTime now = world_.wall(claim.started);
  BodyMemory::Share memory(memory_);
  RobotsAnswer answer = co_await fetch_robots(world_.client, decoder_, memory,
                                              std::string(claim.origin()), options_, now);
  if (answer.failure && *answer.failure == Errc::cancelled) co_return fail(Errc::cancelled);
  if (answer.failure && *answer.failure == Errc::no_resources) {
    static_cast<void>(frontier_.retry(std::move(claim), HostSign::none, std::nullopt));
    co_return co_await events_.on_shortage();
  }
  for (Exchange& exchange : answer.exchanges) {
    if (auto put = co_await sink_.put_other(std::move(exchange)); !put) co_return put;
  }
  take_rules(std::move(claim), std::move(answer));
  co_return {};
}

void OriginPreparer::take_rules(Claim claim, RobotsAnswer answer) {
  const Instant now = async::Loop::current().now();
  const Instant good_until = base::add_saturating(now, options_.robots_max_age);
  const std::string origin(claim.origin());
  if (!options_.obeys_robots) {  // it was fetched only for sitemaps
    add_sitemaps(origin, answer.robots);
    return frontier_.has_rules(std::move(claim), {{}, good_until}, Duration::zero());
  }
  if (answer.kind == RobotsAnswer::Kind::rules) {
    const Duration delay = answer.robots.crawl_delay().value_or(Duration::zero());
    if (delay > options_.politeness.crawl_delay_max) {
      return close(std::move(claim), {.reason = SkipReason::crawl_delay,
                                      .detail = "Crawl-delay " + base::to_string(delay)});
    }
    if (options_.reads_sitemaps) add_sitemaps(origin, answer.robots);
    return frontier_.has_rules(std::move(claim), {std::move(answer.robots), good_until}, delay,
                               answer.source);
  }
  const bool is_failed = answer.kind == RobotsAnswer::Kind::failed;
  // A gateway reports that the server does not answer.
  const int status = answer.status.value_or(0);
  const bool is_overloaded = is_failed && *answer.failure == Errc::overloaded;
  const bool is_silent = (is_failed && !is_overloaded) || status == 502 || status == 504;
  const HostSign sign = is_silent ? HostSign::failed : HostSign::refused;
  // An address that is forbidden now is forbidden later, too.
  const bool is_denied = is_failed && *answer.failure == Errc::denied;
  const OriginRules* const old = claim.rules();
  const bool is_stale = old != nullptr && old->good_until <= claim.started;
  // The frontier parks a host that keeps refusing while it is probed.
  const bool is_refused = is_overloaded || status == 429 || status == 503;
  const bool is_probe = is_refused && old != nullptr;
  const bool is_tried_again =
      (is_silent || is_probe) && !is_stale ? has_tries(claim) : spend_try(claim);
  if (is_tried_again && !is_denied) {
    if (frontier_.retry(std::move(claim), sign, answer.retry_after)) events_.on_parked(origin);
    return;
  }
  // Rules from a day ago are better than none.
  if (old != nullptr) {
    const Duration delay = old->robots.crawl_delay().value_or(Duration::zero());
    robots::Robots robots = old->robots;
    return frontier_.has_rules(std::move(claim), {std::move(robots), good_until}, delay);
  }
  OriginEnd end = {.reason = SkipReason::robots_unreachable, .may_pass = !is_failed};
  if (is_failed) {
    end.reason = SkipReason::none;
    end.failure = answer.failure->code();
    end.detail = answer.failure->to_string();
  } else {
    end.detail = "robots.txt: status " + std::to_string(status);
  }
  close(std::move(claim), std::move(end));
}

void OriginPreparer::add_sitemaps(std::string_view origin, const robots::Robots& robots) {
  const auto base = url::Url::parse(std::string(origin) + "/robots.txt");
  if (!base) return;
  Target facts;
  facts.via = Referrer(base->href());
  facts.purpose = Purpose::sitemap;
  for (const std::string& sitemap : robots.sitemaps()) {
    if (const auto url = base->resolve(sitemap)) intake_.add(*url, facts);
  }
  if (!robots.sitemaps().empty()) return;
  facts.purpose = Purpose::guessed_sitemap;
  if (const auto url = base->resolve(kGuessedSitemap)) intake_.add(*url, facts);
}

void OriginPreparer::close(Claim claim, OriginEnd end) {
  const std::string origin(claim.origin());
  frontier_.close_origin(origin, std::move(end), [this](Target target, const OriginEnd& why) {
    events_.on_drop(std::move(target), why);
  });
}

}  // namespace gossamer::crawler

// Looking into a crawl that runs, and changing what it does.

#include <algorithm>
#include <string>
#include <utility>

#include "async/async_stack.h"
#include "async/loop.h"
#include "crawl/engine.h"
#include "crawl/flight.h"
#include "url/url.h"

namespace gossamer::crawler {
namespace {

std::string_view stage_of(const Claim& claim) {
  switch (claim.work) {
    case Work::resolve: return "resolving";
    case Work::robots: return "robots";
    case Work::page: break;
  }
  return claim.step == http::ExchangeStep::over ? "storing" : http::name(claim.step);
}

}  // namespace

FlightFacts describe(const Flight& flight, Instant now) {
  const Claim& claim = flight.claim;
  FlightFacts facts = {
      .stage = stage_of(claim),
      .url = claim.work == Work::page ? claim.target.url : std::string(claim.origin()),
      .host = {},
      .age = now - claim.started,
      .bytes = claim.body_bytes,
      .tries = claim.target.tries + 1U,
      .stack = async::describe_stack(flight.task)};
  if (const auto origin = url::Url::parse(claim.origin())) facts.host = origin->hostname();
  return facts;
}

std::vector<FlightFacts> Engine::flights(std::size_t count_max) const {
  const Instant now = async::Loop::current().now();
  std::vector<FlightFacts> all;
  // They stand in the order in which they began.
  for (const Flight* flight = flights_.first(); flight != nullptr && all.size() < count_max;
       flight = flights_.next(*flight)) {
    if (flight->claim.is_held()) all.push_back(describe(*flight, now));
  }
  return all;
}

void Engine::pause() {
  is_paused_ = true;
  frontier_.set_claims_max(0);
}

void Engine::resume() {
  is_paused_ = false;
  frontier_.set_claims_max(options_.concurrency);
}

void Engine::set_concurrency(std::uint32_t concurrency) {
  options_.concurrency = concurrency;
  concurrency_ = concurrency;
  tell_pace();
  if (!is_paused_) frontier_.set_claims_max(concurrency);
}

void Engine::set_delay(std::optional<Duration> delay) {
  options_.politeness.delay = delay;
  tell_pace();
}

void Engine::set_global_gap(Duration gap) {
  options_.global_gap = gap;
  tell_pace();
}

void Engine::tell_pace() { frontier_.set_pace(frontier_politeness(options_), options_.global_gap); }

std::optional<LinkIntake::Verdict> Engine::add_root(const url::Url& root) {
  if (reason_ || ended_.is_set()) return std::nullopt;
  // The end may have been found, here or on another loop, and not have got round yet.
  if (neighbours_ == nullptr && frontier_.waiting() + frontier_.claimed() == 0) return std::nullopt;
  if (neighbours_ != nullptr && !neighbours_->hold_open()) return std::nullopt;
  intake_.widen(root);
  Target facts;
  facts.is_root = true;
  const LinkIntake::Verdict verdict = intake_.add(root, facts);
  if (neighbours_ != nullptr) neighbours_->let_go();
  return verdict;
}

void Engine::block_host(std::string_view hostname) {
  frontier_.block_host(hostname, {.reason = SkipReason::blocked, .detail = "the host was blocked"},
                       dropping("given up: the host was blocked"));
}

}  // namespace gossamer::crawler

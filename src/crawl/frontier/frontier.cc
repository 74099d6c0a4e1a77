#include "frontier/frontier.h"

#include <algorithm>

#include "base/check.h"

namespace gossamer::crawler {

class Frontier::ClaimWait final : public async::QueuedWait {
 public:
  explicit ClaimWait(Frontier& frontier) noexcept
      : QueuedWait(frontier.claimers_), frontier_(frontier) {}

  bool await_ready() {
    if (cancelled() || frontier_.turns_.is_closed()) return true;
    if (auto claim = frontier_.next_claim()) claim_.emplace(std::move(*claim));
    return claim_.has_value();
  }
  Result<Claim> await_resume() {
    if (claim_) return std::move(*claim_);
    return fail(cancelled() ? Errc::cancelled : Errc::closed);
  }

 private:
  friend class Frontier;
  Frontier& frontier_;
  std::optional<Claim> claim_;
};

namespace {

// The page limit covers only pages, not DNS lookups and robots.txt.
bool is_counted(const Claim& claim) { return claim.work == Work::page && !claim.target.is_probe(); }

}  // namespace

Frontier::Frontier(async::Loop& loop, FrontierOptions options, std::shared_ptr<FrontierShare> share,
                   FrontierSource source)
    : loop_(loop),
      options_(std::move(options)),
      share_(share ? std::move(share) : std::make_shared<FrontierShare>(options_)),
      backlog_(source.backlog),
      log_(source.backlog != nullptr ? source.backlog : source.leases),
      seen_(options_.salt),
      turns_(loop, options_, share_->pauses),
      queues_(loop, options_, share_->work, backlog_, log_),
      hosts_(loop, options_, turns_, queues_, seen_, {.backlog = backlog_, .log = log_}, *this),
      listener_(share_->work, loop, [this] { work_changed(); }) {
  if (backlog_ != nullptr) recall();
  if (share_->work.is_done()) is_idle_.set();
}

Frontier::~Frontier() { CHECK(claimed_ == 0, "a frontier dies with {} targets claimed", claimed_); }

void Frontier::recall() {
  if (auto spill = backlog_->seen_spill()) seen_.spill_to(std::move(*spill));
  Backlog::Recall recall = {
      .seen = [this](std::uint64_t fingerprint) { seen_.insert(fingerprint); },
      .waiting = [this](std::string_view, std::uint16_t depth,
                        std::size_t count) { hosts_.recall_waiting(depth, count); },
      .target = {},
      .host = [this](std::string_view hostname) { hosts_.recall_host(hostname); },
      .message =
          [this](std::optional<std::uint64_t> fingerprint, Target target) {
            undelivered_.push_back({.target = std::move(target), .is_again = !fingerprint});
          },
      .count = [this](const StoredCount& count) { counts_.push_back(count); },
  };
  if (options_.is_level_by_level) {
    recall.target = [this](std::uint64_t fingerprint, const Target& target) {
      deeper_.recall(fingerprint, target);
    };
  }
  backlog_->recall(std::move(recall));
  share_->work.begin_at_level();
  static_cast<void>(turns_.reach_level(share_->work.level()));
  deeper_.reach(turns_.level());
  hosts_.admit();
}

// --- discovery

const OriginEnd& Frontier::end_of(const url::Url& url) const {
  const Origin* const origin = hosts_.find(url);
  CHECK(origin != nullptr && origin->end != nullptr);
  return *origin->end;
}

Verdict Frontier::discover(const url::Url& url, std::uint64_t fingerprint, Target facts,
                           std::span<const StoredCount> counts) {
  // A leased URL that returns must be fetched again.
  const bool is_new = is_leased() || seen_.insert(fingerprint);
  if (!is_new && !deeper_.comes_nearer(fingerprint, facts.depth)) return Verdict::seen;
  Origin* const origin = hosts_.origin_for(url, facts);
  const bool is_closed =
      origin != nullptr && origin->stage == OriginStage::closed && !queues_.is_set_aside(*origin);
  if (!is_new && is_closed) return Verdict::seen;  // it was dropped with its origin
  if (!is_new) deeper_.bring_nearer(fingerprint);
  if (is_closed) {
    if (origin->end->may_pass) count_unreached(*origin, unreached_.urls_dropped);
    return Verdict::closed;
  }
  if (options_.is_level_by_level && facts.depth > turns_.level()) {
    deeper_.add(fingerprint, url, facts.depth);
  }
  add(origin, url, fingerprint, std::move(facts), counts);
  return Verdict::added;
}

void Frontier::discover_again(const url::Url& url, Target facts) {
  Origin* const origin = hosts_.origin_for(url, facts);
  const bool is_closed = origin != nullptr && origin->stage == OriginStage::closed;
  if (is_closed && !queues_.is_set_aside(*origin)) return settle(facts);
  add(origin, url, std::nullopt, std::move(facts), {});
}

void Frontier::add(Origin* origin, const url::Url& url, std::optional<std::uint64_t> fingerprint,
                   Target target, std::span<const StoredCount> counts) {
  if (origin != nullptr && origin->stage == OriginStage::closed) {
    if (target.is_probe()) return;  // it is not stored
    queues_.keep_for_later(*origin, url, fingerprint, std::move(target), counts);
    return count_unreached(*origin, unreached_.urls_queued);
  }
  is_idle_.clear();
  turns_.lower_level(target.depth);
  if (origin == nullptr) return hosts_.put_away(url, fingerprint, std::move(target), counts);
  const bool waits_for_put_off =
      !origin->put_off.empty() && (origin->queue.empty() || origin->is_blocked);
  queues_.add(*origin, url, fingerprint, std::move(target), counts);
  // An origin that waits for a timer or is ready stays where it is, unless it waits for a target
  // that was put off.
  if (origin->is_ready || (origin->pending() && !waits_for_put_off)) return;
  place(*origin);
}

// --- turns

void Frontier::place(Origin& origin) {
  if (!turns_.place(origin)) return;
  serve();
  if (origin.is_ready) want_worker();
}

void Frontier::wake(Origin& origin) noexcept {
  turns_.wake(origin);
  place(origin);
  hosts_.list_if_idle(origin.host);
}

void Frontier::come_back(Origin& origin) {
  if (origin.stage != OriginStage::closed) {
    place(origin);
    return hosts_.list_if_idle(origin.host);
  }
  DropTarget ignore = kKeepInBacklog;
  const auto& end = origin.host.end;
  drain(origin, OriginEnd(*origin.end), end == nullptr ? ignore : end->drop);
}

void Frontier::want_worker() {
  if (!has_ready() || !claimers_.empty() || !share_->work.has_pages()) return;
  if (on_unclaimed_) on_unclaimed_();
}

void Frontier::place_host(Host& host) {
  // An origin that waits for a timer keeps its time, since others may have later ones.
  for (Origin* origin : host.origins) {
    if (!origin->is_ready && !origin->pending()) place(*origin);
  }
  hosts_.list_if_idle(host);
  serve();  // ready origins may have waited for a free claim
}

void Frontier::serve() {
  if (is_serving_) return;  // claiming calls this again
  is_serving_ = true;
  while (!claimers_.empty()) {
    auto claim = next_claim();
    if (!claim) break;
    static_cast<ClaimWait&>(claimers_.front()).claim_.emplace(std::move(*claim));
    async::QueuedWait::grant_first(claimers_);
  }
  is_serving_ = false;
}

std::optional<Claim> Frontier::next_claim() {
  const Instant now = loop_.now();
  OpenWork& work = share_->work;
  while (turns_.has_next() && work.take_page()) {
    auto claim = claim_from(turns_.next(), now);
    if (!claim || !is_counted(*claim)) work.give_back_page();
    if (claim) return claim;
  }
  return std::nullopt;
}

Claim Frontier::claim_preparation(Origin& origin, Work work, Instant now) {
  origin.is_preparing = true;
  turns_.take_turn();
  Claim claim(*this, origin, work, now);
  claim.target.tries = origin.tries;
  return claim;
}

std::optional<Claim> Frontier::claim_from(Origin& origin, Instant now) {
  HostPace& pace = origin.host.pace;
  // Another origin of the same host may have been faster.
  if (!pace.has_room()) return std::nullopt;
  if (origin.host.leased_until <= now) return std::nullopt;  // lease_host() places it again
  if (origin.stage == OriginStage::unresolved) {
    pace.start(now);
    return claim_preparation(origin, Work::resolve, now);
  }
  if (!turns_.start(origin, now)) return std::nullopt;
  // The pause after a request may be longer than rules are good for.
  const bool is_stale =
      origin.rules != nullptr && origin.rules->good_until <= now && !origin.has_new_rules;
  if (origin.stage == OriginStage::without_rules || is_stale || origin.is_probed) {
    return claim_preparation(origin, Work::robots, now);
  }
  std::optional<Target> target = take_target(origin);
  if (!target) {
    pace.withdraw();
    place(origin);
    hosts_.list_if_idle(origin.host);
    return std::nullopt;
  }
  Claim claim(*this, origin, Work::page, now);
  claim.target = std::move(*target);
  origin.has_new_rules = false;
  ++claimed_;
  turns_.take_turn();
  place(origin);
  return claim;
}

Target Frontier::take_queued(Origin& origin) {
  if (origin.host.pace.is_down()) return queues_.pop_probe(origin);
  return origin.put_off.empty() ? queues_.pop(origin) : queues_.pop_distant(origin);
}

// Only those that were refused are left, so none of them can show what the others are worth.
std::optional<Target> Frontier::take_last(Origin& origin) {
  const HostPace& pace = origin.host.pace;
  if (auto target = queues_.take_put_off(origin, pace.last_alive())) return target;
  if (origin.put_off.empty() || origin.put_off.first_due() > loop_.now()) return std::nullopt;
  origin.is_probed = is_doubtful(origin);
  return origin.is_probed ? std::nullopt : queues_.take_put_off(origin, std::nullopt);
}

std::optional<Target> Frontier::take_target(Origin& origin) {
  std::optional<Target> target = queues_.take_put_off(origin, origin.host.pace.last_good());
  if (target) return target;
  if (origin.queue.empty() || turns_.is_blocked(origin)) return take_last(origin);
  std::vector<std::uint16_t> stale_depths;  // ending them may end levels, so it happens last
  while (!origin.queue.empty() && !turns_.is_blocked(origin)) {
    target = take_queued(origin);
    if (!deeper_.take_stale(*target)) break;
    settle(*target);
    stale_depths.push_back(target->depth);
    target.reset();
  }
  for (const std::uint16_t depth : stale_depths) share_->work.end(depth);
  return target;
}

async::Task<Result<Claim>> Frontier::claim() { co_return co_await ClaimWait(*this); }

void Frontier::work_changed() {
  if (share_->work.is_done()) {
    // Each target that was found has ended or is open, and none is open.
    CHECK(queues_.waiting() == 0 && claimed_ == 0, "the crawl ends with {} queued, {} claimed",
          queues_.waiting(), claimed_);
    is_idle_.set();
  }
  if (const std::uint16_t level = share_->work.level(); level != turns_.level()) {
    deeper_.reach(level);
    for (Origin* origin : turns_.reach_level(level)) {
      origin->is_blocked = false;
      place(*origin);
      hosts_.list_if_idle(origin->host);
    }
    hosts_.admit_others();  // of this level
  }
  serve();
  want_worker();
  if (on_spent_ && share_->work.is_spent()) on_spent_();
}

// --- the ends of claims

Origin& Frontier::release(Claim& claim) noexcept {
  CHECK(std::exchange(claim.frontier_, nullptr) == this);
  turns_.end_turn();
  return *claim.origin_;
}

void Frontier::abandon(Claim& claim) noexcept {
  Origin& origin = release(claim);
  if (claim.work == Work::page) {
    --claimed_;
    if (queues_.is_set_aside(origin)) count_unreached(origin, unreached_.urls_queued);
    if (is_counted(claim)) share_->work.give_back_page();
    share_->work.end(claim.target.depth);
  } else {
    origin.is_preparing = false;
  }
  origin.host.pace.withdraw();
  place_host(origin.host);
}

void Frontier::skip(Claim claim) {
  settle(claim.target);
  abandon(claim);
  if (log_ != nullptr) log_->commit();
}

void Frontier::resolved(Claim claim, const std::optional<async::Endpoint>& address, bool is_own) {
  Origin& origin = release(claim);
  origin.is_preparing = false;
  origin.tries = 0;
  if (origin.stage != OriginStage::closed) {
    const bool lacks_rules = options_.needs_robots && origin.rules == nullptr;
    origin.stage = lacks_rules ? OriginStage::without_rules : OriginStage::open;
  }
  if (address) {
    origin.address = address;
    origin.address->port = 0;
    origin.host.pace.set_own(is_own);
  }
  origin.host.pace.withdraw();
  place_host(origin.host);
}

void Frontier::has_rules(Claim claim, OriginRules rules, Duration crawl_delay,
                         const std::optional<std::string>& source) {
  Origin& origin = release(claim);
  origin.is_preparing = false;
  origin.tries = 0;
  if (log_ != nullptr && source) log_->note_rules(origin.name, *source, rules.good_until);
  hosts_.set_rules(origin, std::move(rules));
  origin.has_new_rules = true;
  if (origin.stage != OriginStage::closed) origin.stage = OriginStage::open;
  // robots.txt may be a file of a server whose pages are all refused.
  const bool is_refusing = std::exchange(origin.is_probed, false) && origin.host.pace.is_refusing();
  // All origins of a host share the longest Crawl-delay of any of them.
  origin.crawl_delay = crawl_delay;
  for (const Origin* sibling : origin.host.origins) {
    crawl_delay = std::max(crawl_delay, sibling->crawl_delay);
  }
  origin.host.pace.set_crawl_delay(crawl_delay);
  const HostSign sign = is_refusing ? HostSign::alive : HostSign::answered;
  static_cast<void>(end_request(origin, claim, sign, std::nullopt));
}

bool Frontier::finish(Claim claim, HostSign sign, std::optional<Duration> retry_after) {
  Origin& origin = release(claim);
  CHECK(claim.work == Work::page);
  --claimed_;
  settle(claim.target);
  const bool is_parked = end_request(origin, claim, sign, retry_after);
  share_->work.end(claim.target.depth);
  if (is_counted(claim)) share_->work.finish_page();
  return is_parked;
}

bool Frontier::retry(Claim claim, HostSign sign, std::optional<Duration> retry_after) {
  CHECK(claim.work != Work::page || !is_closed(claim), "{} is closed", claim.origin());
  Origin& origin = release(claim);
  if (claim.work == Work::page) {
    --claimed_;
    const bool is_page = is_counted(claim);
    requeue(origin, std::move(claim.target), sign, retry_after);
    if (is_page) share_->work.give_back_page();
  } else {
    origin.is_preparing = false;
    origin.tries = claim.target.tries;
  }
  return end_request(origin, claim, sign, retry_after);
}

// A host that refuses many pages, or most of its pages, is overloaded. robots.txt would not show
// it, since it may be a file.
bool Frontier::is_doubtful(const Origin& origin) const {
  const HostPace& pace = origin.host.pace;
  const PolitenessOptions& options = options_.politeness;
  if (!options_.probes_robots || origin.rules == nullptr) return false;
  const std::uint64_t left = origin.queue.size() + origin.put_off.size() + origin.on_disk;
  return pace.refusals() >= options.refusals_probed && left < options.refusals_max &&
         pace.answers() >= left * options.answers_per_broken_page;
}

void Frontier::requeue(Origin& origin, Target target, HostSign sign,
                       std::optional<Duration> retry_after) {
  const HostPace& pace = origin.host.pace;
  const bool is_broken = sign == HostSign::broken_page;
  if (!is_broken && sign != HostSign::unavailable) {
    return queues_.put_back(origin, std::move(target));
  }
  if (is_broken) target.fault = Fault::proven;
  // The host is paused after the first refusal; then it is the page that waits.
  const Duration own = is_broken ? pace.pause_of_page(target.tries) : Duration::zero();
  const Duration pause = std::min(retry_after.value_or(own), options_.politeness.retry_after_max);
  queues_.put_off(origin, std::move(target), pause);
}

bool Frontier::end_request(Origin& origin, const Claim& claim, HostSign sign,
                           std::optional<Duration> retry_after) {
  const Instant now = loop_.now();
  const Duration took = claim.took < Duration::zero() ? now - claim.started : claim.took;
  HostPace& pace = origin.host.pace;
  const bool has_answered = sign != HostSign::none && sign != HostSign::failed;
  origin.has_answered = origin.has_answered || has_answered;
  // Responses come in bursts, so this checks the time since the request.
  if (has_answered && !loop_.is_busy(now - claim.started)) pace.make_room();
  const bool is_parked = pace.finish(claim.started, took, now, sign, retry_after);
  if (claim.target.fault == Fault::likely) {
    if (sign == HostSign::broken_page) pace.clear_of_page();
    if (sign == HostSign::answered) pace.trust_pages();
  }
  const bool is_third =
      sign == HostSign::unavailable && pace.refusals() == options_.politeness.refusals_probed;
  if (is_third) origin.is_probed = is_doubtful(origin);
  turns_.note_trouble(origin.host);
  if (log_ != nullptr) {
    log_->note_host(origin.host.name, pace.memory());
    log_->commit();
  }
  place_host(origin.host);
  return is_parked;
}

// --- control

void Frontier::set_claims_max(std::size_t claims_max) {
  turns_.set_turns_max(claims_max);
  if (backlog_ != nullptr && claims_max > 0) {
    // The backlog may have failed before.
    hosts_.for_each_origin([this](Origin& origin) {
      if (!origin.queue.empty() || origin.on_disk == 0) return;
      queues_.refill(origin);
      if (origin.stage == OriginStage::closed) {
        queues_.leave(origin);
      } else {
        place(origin);
      }
    });
    hosts_.admit_others();
  }
  serve();
  want_worker();
}

void Frontier::set_pace(const PolitenessOptions& politeness, Duration global_gap) {
  options_.politeness = politeness;
  hosts_.set_politeness(politeness);
  share_->pauses.set_global_gap(global_gap);
  hosts_.for_each_origin([this](Origin& origin) { place(origin); });
}

// --- the end

void Frontier::close() {
  turns_.close();
  async::QueuedWait::grant_all(claimers_);
}

void Frontier::drain(std::move_only_function<void(Target target)> take) {
  CHECK(turns_.is_closed());
  hosts_.for_each_origin([&](Origin& origin) {
    turns_.take_out(origin);
    while (log_ == nullptr && origin.has_target()) take(queues_.pop(origin));
  });
}

}  // namespace gossamer::crawler

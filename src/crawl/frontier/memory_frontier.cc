#include "crawl/frontier/memory_frontier.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "crawl/frontier/memory_frontier_origin.h"

namespace gossamer::crawler {

class MemoryFrontier::ClaimWait final : public async::QueuedWait {
 public:
  explicit ClaimWait(MemoryFrontier& frontier) noexcept
      : QueuedWait(frontier.claimers_), frontier_(frontier) {}

  bool await_ready() {
    if (cancelled() || frontier_.is_closed_) return true;
    if (auto claim = frontier_.next_claim()) claim_.emplace(std::move(*claim));
    return claim_.has_value();
  }
  Result<Claim> await_resume() {
    if (claim_) return std::move(*claim_);
    return fail(cancelled() ? Errc::cancelled : Errc::closed);
  }

 private:
  friend class MemoryFrontier;
  MemoryFrontier& frontier_;
  std::optional<Claim> claim_;
};

namespace {

// Pages may be limited in number; what is done for them is not.
bool is_counted(const Claim& claim) { return claim.work == Work::page && !claim.target.is_probe; }

}  // namespace

std::size_t MemoryFrontier::Text::operator()(std::string_view text) const noexcept {
  return base::hash64(text);
}

MemoryFrontier::MemoryFrontier(async::Loop& loop, FrontierOptions options,
                               std::shared_ptr<FrontierShare> share, Backlog* backlog)
    : loop_(loop),
      begun_(loop.now()),
      options_(std::move(options)),
      manners_(options_.hosts, options_.politeness),
      share_(share ? std::move(share) : std::make_shared<FrontierShare>(options_)),
      backlog_(backlog),
      seen_(options_.salt),
      host_bytes_max_(options_.host_bytes_max),
      listener_(share_->work, loop, [this] { work_changed(); }) {
  if (backlog_ != nullptr) recall();
  if (share_->work.is_done()) is_idle_.set();
}

MemoryFrontier::~MemoryFrontier() {
  CHECK(claimed_ == 0, "a frontier dies with {} targets claimed", claimed_);
  for (auto& [name, origin] : origins_) loop_.timers().remove(*origin);
}

// --- finding

const OriginRules* MemoryFrontier::rules_for(const url::Url& url) const {
  const std::string_view name = origin_text(url);
  const Origin* const origin =
      last_origin_ != nullptr && last_origin_->name == name ? last_origin_ : find_origin(name);
  return origin == nullptr ? nullptr : origin->rules.get();
}

const OriginEnd& MemoryFrontier::end_of(const url::Url& url) const {
  const Origin* const origin = find_origin(origin_text(url));
  CHECK(origin != nullptr && origin->end != nullptr);
  return *origin->end;
}

Discovery MemoryFrontier::discover(const url::Url& url, std::uint64_t fingerprint, Target facts,
                                   std::span<const KeptCount> counts) {
  if (!seen_.insert(fingerprint)) {
    if (!comes_nearer(fingerprint, facts.depth)) return Discovery::seen;
    bring_nearer(fingerprint);
  }
  Origin* const origin = origin_for(url, facts);
  const bool is_for_later = origin != nullptr && is_set_aside(*origin);
  if (origin != nullptr && origin->stage == Stage::closed && !is_for_later) {
    if (origin->end->may_pass) count_unreached(*origin, unreached_.urls_dropped);
    return Discovery::closed;
  }
  if (options_.is_level_by_level && facts.depth > level_) {
    next_level_.emplace(fingerprint, Deeper{base::hash64(url.without_fragment()), facts.depth});
  }
  if (origin == nullptr) {
    put_away(url, fingerprint, std::move(facts), counts);
  } else if (is_for_later) {
    keep_for_later(*origin, url, fingerprint, std::move(facts), counts);
  } else {
    add(*origin, url, fingerprint, std::move(facts), counts);
  }
  return Discovery::added;
}

void MemoryFrontier::bring_nearer(std::uint64_t fingerprint) {
  const auto found = next_level_.find(fingerprint);
  stale_.insert(found->second.hash());
  next_level_.erase(found);
}

bool MemoryFrontier::is_stale(const Target& target) {
  if (stale_.empty()) return false;
  return stale_.erase(Deeper{base::hash64(target.url), target.depth}.hash()) > 0;
}

void MemoryFrontier::discover_again(const url::Url& url, Target facts) {
  Origin* const origin = origin_for(url, facts);
  if (origin == nullptr) return put_away(url, std::nullopt, std::move(facts), {});
  if (is_set_aside(*origin)) {
    return keep_for_later(*origin, url, std::nullopt, std::move(facts), {});
  }
  if (origin->stage != Stage::closed) add(*origin, url, std::nullopt, std::move(facts), {});
}

void MemoryFrontier::add(Origin& origin, const url::Url& url,
                         std::optional<std::uint64_t> fingerprint, Target target,
                         std::span<const KeptCount> counts) {
  target.url = url.without_fragment();
  const std::uint16_t depth = target.depth;
  Backlog::Kept kept;
  if (backlog_ != nullptr && !target.is_probe) {
    kept = backlog_->add(origin.name, fingerprint, target, rank_of(target, options_.order), counts);
    target.ticket = kept.ticket;
  }
  if (kept.is_in_memory) {
    origin.queue.push(std::move(target), origin.name, options_.order);
  } else {
    ++origin.on_disk;
  }
  ++waiting_;
  is_idle_.clear();
  share_->work.begin(depth);
  level_ = std::min(level_, depth);
  if (origin.queue.empty()) refill(origin);
  // One that waits for its time, or is in line already, stays where it is.
  if (origin.is_ready || origin.pending()) return;
  place(origin);
  serve();
}

// --- whose turn it is

bool MemoryFrontier::is_blocked_by_level(const Origin& origin) const {
  return options_.is_level_by_level && origin.queue.next_depth() > level_;
}

void MemoryFrontier::take_out(Origin& origin) noexcept {
  if (origin.is_ready) ready_.remove(origin);
  origin.is_ready = false;
  if (!origin.pending()) return;
  loop_.timers().remove(origin);
  --asleep_;
}

void MemoryFrontier::sleep(Origin& origin, Instant until) {
  loop_.timers().add(origin, until);
  ++asleep_;
}

void MemoryFrontier::wake(Origin& origin) {
  --asleep_;
  place(origin);
  list_if_idle(origin.host);
}

void MemoryFrontier::place(Origin& origin) {
  take_out(origin);
  if (is_closed_ || origin.queue.empty() || origin.is_preparing) return;
  if (origin.stage == Stage::closed) return;
  if (is_blocked_by_level(origin)) {
    if (!origin.is_blocked) blocked_by_level_.push_back(&origin);
    origin.is_blocked = true;
    return;
  }
  if (!origin.host.pace.has_room()) return;  // whoever leaves makes place
  if (origin.host.pace.ready_at() > loop_.now()) {
    sleep(origin, origin.host.pace.ready_at());
    return;
  }
  ready_.push_back(origin);
  origin.is_ready = true;
  serve();
  if (origin.is_ready) want_worker();
}

void MemoryFrontier::want_worker() {
  if (!has_ready() || !claimers_.empty() || !share_->work.has_pages()) return;
  if (on_unclaimed_) on_unclaimed_();
}

void MemoryFrontier::place_host(Host& host) {
  // One that waits for its time keeps it: others may have got theirs after it.
  for (Origin* origin : host.origins) {
    if (!origin->is_ready && !origin->pending()) place(*origin);
  }
  list_if_idle(host);
  serve();  // others may have stood in line for want of a claim
}

void MemoryFrontier::serve() {
  if (is_serving_) return;  // claiming places origins, which serves: once is enough
  is_serving_ = true;
  while (!claimers_.empty() && !ready_.empty()) {
    auto claim = next_claim();
    if (!claim) break;
    static_cast<ClaimWait&>(claimers_.front()).claim_.emplace(std::move(*claim));
    async::QueuedWait::grant_first(claimers_);
  }
  is_serving_ = false;
}

std::optional<Claim> MemoryFrontier::next_claim() {
  const Instant now = loop_.now();
  OpenWork& work = share_->work;
  while (!ready_.empty() && claims_held_ < claims_max_ && work.take_page()) {
    Origin& origin = ready_.pop_front();
    origin.is_ready = false;
    auto claim = claim_from(origin, now);
    if (!claim || !is_counted(*claim)) work.give_back_page();
    if (claim) return claim;
  }
  return std::nullopt;
}

// When the origin has to wait after all: until then.
std::optional<Instant> MemoryFrontier::gate(Origin& origin, Instant now) {
  HostPace& pace = origin.host.pace;
  pause_first(pace);
  if (pace.ready_at() > now) return pace.ready_at();
  return share_->pauses.start(pace.is_own() ? std::nullopt : origin.address, now);
}

Claim MemoryFrontier::claim_preparation(Origin& origin, Work work, Instant now) {
  origin.is_preparing = true;
  ++claims_held_;
  Claim claim(*this, &origin, work, now);
  claim.target.tries = origin.tries;
  return claim;
}

std::optional<Claim> MemoryFrontier::claim_from(Origin& origin, Instant now) {
  // A sibling of the same host may have been quicker.
  if (!origin.host.pace.has_room()) return std::nullopt;
  if (origin.stage == Stage::unresolved) {
    origin.host.pace.start(now);
    return claim_preparation(origin, Work::resolve, now);
  }
  if (const auto later = gate(origin, now)) {
    sleep(origin, *later);
    return std::nullopt;
  }
  origin.host.pace.start(now);
  const bool is_stale = origin.rules != nullptr && origin.rules->good_until <= now;
  if (origin.stage == Stage::without_rules || is_stale || origin.is_probed) {
    return claim_preparation(origin, Work::robots, now);
  }
  std::optional<Target> target = take_target(origin);
  if (!target) {
    origin.host.pace.withdraw();
    place(origin);
    list_if_idle(origin.host);
    return std::nullopt;
  }
  Claim claim(*this, &origin, Work::page, now);
  claim.target = std::move(*target);
  --waiting_;
  ++claimed_;
  ++claims_held_;
  place(origin);
  return claim;
}

std::optional<Target> MemoryFrontier::take_target(Origin& origin) {
  std::optional<Target> target;
  std::vector<std::uint16_t> stale_depths;  // that ends levels, so it waits until we are done
  while (!origin.queue.empty() && !is_blocked_by_level(origin)) {
    target = origin.host.pace.is_down() ? pop_probe(origin) : pop(origin);
    if (!is_stale(*target)) break;
    --waiting_;
    settle(*target);
    stale_depths.push_back(target->depth);
    target.reset();
  }
  for (const std::uint16_t depth : stale_depths) share_->work.end(depth);
  return target;
}

async::Task<Result<Claim>> MemoryFrontier::claim() { co_return co_await ClaimWait(*this); }

// --- the ends of claims

MemoryFrontier::Origin& MemoryFrontier::origin_in(const Claim& claim) noexcept {
  return *static_cast<Origin*>(claim.origin_);
}

std::string_view MemoryFrontier::origin_of(const Claim& claim) const {
  return origin_in(claim).name;
}

const OriginRules* MemoryFrontier::rules_of(const Claim& claim) const {
  return origin_in(claim).rules.get();
}

MemoryFrontier::Origin& MemoryFrontier::release(Claim& claim) noexcept {
  CHECK(std::exchange(claim.frontier_, nullptr) == this);
  --claims_held_;
  return origin_in(claim);
}

void MemoryFrontier::abandon(Claim& claim) noexcept {
  Origin& origin = release(claim);
  if (claim.work == Work::page) {
    --claimed_;
    if (is_set_aside(origin)) count_unreached(origin, unreached_.urls_queued);
    if (is_counted(claim)) share_->work.give_back_page();
    share_->work.end(claim.target.depth);
  } else {
    origin.is_preparing = false;
  }
  origin.host.pace.withdraw();
  place_host(origin.host);
}

void MemoryFrontier::resolved(Claim claim, const std::optional<async::Endpoint>& address,
                              bool is_own) {
  Origin& origin = release(claim);
  origin.is_preparing = false;
  origin.tries = 0;
  if (origin.stage != Stage::closed) {
    const bool lacks_rules = options_.needs_robots && origin.rules == nullptr;
    origin.stage = lacks_rules ? Stage::without_rules : Stage::open;
  }
  if (address) {
    origin.address = address;
    origin.address->port = 0;
    origin.host.pace.set_own(is_own);
  }
  origin.host.pace.withdraw();
  place_host(origin.host);
}

void MemoryFrontier::has_rules(Claim claim, OriginRules rules, Duration crawl_delay) {
  Origin& origin = release(claim);
  origin.is_preparing = false;
  origin.tries = 0;
  if (backlog_ != nullptr && rules.source) {
    backlog_->note_rules(origin.name, {.source = *rules.source, .good_until = rules.good_until});
  }
  if (origin.rules == nullptr && rules.source) count_host_bytes(origin, rules.source->size());
  rules.source.reset();
  origin.rules = std::make_unique<OriginRules>(std::move(rules));
  origin.is_probed = false;
  if (origin.stage != Stage::closed) origin.stage = Stage::open;
  // The host is one, however many origins it has: it gets the longest pause that any of them wants.
  origin.crawl_delay = crawl_delay;
  for (const Origin* sibling : origin.host.origins) {
    crawl_delay = std::max(crawl_delay, sibling->crawl_delay);
  }
  origin.host.pace.set_crawl_delay(crawl_delay);
  static_cast<void>(end_request(origin, claim, HostSign::answered, std::nullopt));
}

bool MemoryFrontier::end_request(Origin& origin, const Claim& claim, HostSign sign,
                                 std::optional<Duration> retry_after) {
  const Instant now = loop_.now();
  const Duration took = claim.took < Duration::zero() ? now - claim.started : claim.took;
  HostPace& pace = origin.host.pace;
  const bool has_answered = sign != HostSign::none && sign != HostSign::failed;
  origin.has_answered = origin.has_answered || has_answered;
  // Answers come in bursts: what counts is whether there was time since it was asked.
  if (has_answered && !loop_.is_busy(now - claim.started)) pace.make_room();
  const bool is_parked = pace.finish(claim.started, took, now, sign, retry_after);
  note_trouble(origin.host);
  if (backlog_ != nullptr) {
    backlog_->note_host(origin.host.name, pace.memory());
    backlog_->commit();
  }
  place_host(origin.host);
  return is_parked;
}

void MemoryFrontier::work_changed() {
  if (share_->work.is_done()) is_idle_.set();
  if (const std::uint16_t level = share_->work.level(); level != level_) {
    level_ = level;
    std::erase_if(next_level_, [&](const auto& next) { return next.second.depth <= level; });
    for (Origin* origin : std::exchange(blocked_by_level_, {})) {
      origin->is_blocked = false;
      place(*origin);
      list_if_idle(origin->host);
    }
    has_news_ = true;  // of this level
    if (away_ > 0) admit_soon(Duration::zero());
  }
  serve();
  want_worker();
  if (on_spent_ && share_->work.is_spent()) on_spent_();
}

bool MemoryFrontier::finish(Claim claim, HostSign sign, std::optional<Duration> retry_after) {
  Origin& origin = release(claim);
  CHECK(claim.work == Work::page);
  --claimed_;
  settle(claim.target);
  const bool is_parked = end_request(origin, claim, sign, retry_after);
  share_->work.end(claim.target.depth);
  if (is_counted(claim)) share_->work.finish_page();
  return is_parked;
}

bool MemoryFrontier::is_closed(const Claim& claim) const {
  return is_closed_ || origin_in(claim).stage == Stage::closed;
}

bool MemoryFrontier::retry(Claim claim, HostSign sign, std::optional<Duration> retry_after) {
  Origin& origin = release(claim);
  if (claim.work == Work::page) {
    CHECK(!is_closed_ && origin.stage != Stage::closed, "{} is closed", origin.name);
    --claimed_;
    ++waiting_;
    const bool is_page = is_counted(claim);
    origin.queue.push(std::move(claim.target), origin.name, options_.order);
    if (is_page) share_->work.give_back_page();
  } else {
    origin.is_preparing = false;
    origin.tries = claim.target.tries;
  }
  return end_request(origin, claim, sign, retry_after);
}

// --- the end of all

void MemoryFrontier::close() {
  is_closed_ = true;
  async::QueuedWait::grant_all(claimers_);
}

void MemoryFrontier::drain(std::move_only_function<void(Target target)> take) {
  CHECK(is_closed_);
  for (auto& [name, origin] : origins_) {
    take_out(*origin);
    while (backlog_ == nullptr && !origin->queue.empty()) {
      take(origin->queue.pop(origin->name, options_.order));
      --waiting_;
    }
  }
}

async::Task<Result<void>> MemoryFrontier::join() { co_return co_await is_idle_.wait(); }

std::size_t MemoryFrontier::memory_bytes() const {
  std::size_t bytes = seen_.memory_bytes();
  for (const auto& [name, origin] : origins_) {
    bytes += sizeof(Origin) + 2 * name.capacity() + origin->queue.memory_bytes();
  }
  return bytes + hosts_.size() * sizeof(Host);
}

}  // namespace gossamer::crawler

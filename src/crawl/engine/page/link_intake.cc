#include "engine/page/link_intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/page/peers.h"
#include "scope/logout.h"
#include "scope/url_score.h"
#include "url/public_suffix.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kGuessesMax = 1'000'000;

// The reasons that make a URL a leaf. For all other reasons it is skipped.
bool makes_leaf(SkipReason reason) {
  return reason == SkipReason::out_of_scope || reason == SkipReason::not_included ||
         reason == SkipReason::too_deep || reason == SkipReason::extension;
}

}  // namespace

std::string describe(const robots::Decision& decision) {
  return fmt::format("robots.txt line {}: {}", decision.line, decision.pattern);
}

LinkIntake::LinkIntake(const Options& options, Hooks& hooks, Frontier& frontier, Setting setting,
                       EngineEvents* events, Peers* peers)
    : options_(options),
      hooks_(hooks),
      frontier_(frontier),
      events_(events),
      peers_(peers),
      this_year_(setting.this_year),
      scope_(options.scope, url::PublicSuffixList::built_in(), options.hosts),
      traps_(options.traps),
      series_(options.traps),
      budgets_(options.budgets),
      identity_(options.identity),
      refused_(setting.salt),
      guesses_(setting.salt),
      linked_guesses_(setting.salt),
      filtered_(setting.salt),
      scratch_(setting.salt) {
  traps_.tell(counts_);
  budgets_.tell(counts_);
}

void LinkIntake::recall(std::span<const StoredCount> counts) {
  for (const StoredCount& kept : counts) {
    traps_.recall(kept);
    series_.recall(kept);
    budgets_.recall(kept);
    if (kept.what != Counted::guesses) continue;
    guesses_.insert(kept.key);
    if (kept.count > 1) linked_guesses_.insert(kept.key);
  }
}

SkipReason LinkIntake::judge_scope(const url::Url& url, std::uint64_t fingerprint,
                                   const Target& facts) {
  const LinkFacts link = {
      .depth = facts.depth, .is_root = facts.is_root(), .is_requisite = facts.is_requisite()};
  if (const SkipReason reason = scope_.judge(url, link); reason != SkipReason::none) return reason;
  if (options_.avoids_logout && !facts.is_root() && leads_to_logout(url)) return SkipReason::logout;
  const bool is_filtered =
      filtered_.contains(fingerprint) || (hooks_.wants_url && !hooks_.wants_url(url));
  return is_filtered ? SkipReason::filtered : SkipReason::none;
}

// Checks that count URLs of a host belong to the loop of that host.
SkipReason LinkIntake::judge_host(const url::Url& url, const Target& facts) {
  counts_.clear();
  if (facts.is_root() || facts.is_leaf()) return SkipReason::none;
  const SkipReason trap = traps_.judge_and_count(url, this_year_);
  if (trap != SkipReason::none) return trap;
  if (const SkipReason spent = budgets_.charge(url); spent != SkipReason::none) return spent;
  if (series_in_hand_ != 0) series_.tell(series_in_hand_, counts_);
  if (frontier_.knows_host(url.hostname())) return SkipReason::none;
  // The crawl is ending for lack of memory, so new hosts would only be dropped.
  if (frontier_.has_no_room()) return SkipReason::stopped;
  return traps_.judge_and_count_host(url.hostname());
}

std::uint64_t LinkIntake::series_key(const Target& target) const {
  if (!options_.traps.endless_series || target.is_root() || target.is_sitemap()) return 0;
  const std::uint64_t key = EndlessSeries::key_of(target.url);
  return key != 0 && key == EndlessSeries::key_of(target.via.url()) ? key : 0;
}

void LinkIntake::refuse(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
                        const Target& facts, std::string detail) {
  if (!refused_.insert(fingerprint) || events_ == nullptr) return;
  if (peers_ != nullptr) {
    const auto sent = peers_->send_refused(url, fingerprint, reason, facts, detail);
    if (sent != Peers::Sent::own) return;
  }
  events_->on_skip({.url = url,
                    .reason = reason,
                    .via = facts.via.url(),
                    .depth = facts.depth,
                    .detail = std::move(detail)});
}

void LinkIntake::widen(const url::Url& root) {
  scope_.add_root(root);
  if (peers_ != nullptr) peers_->widen(root);
}

LinkIntake::Verdict LinkIntake::add_root(const url::Url& root) {
  scope_.add_root(root);
  Target facts;
  facts.purpose = Purpose::root;
  return add(root, facts);
}

LinkIntake::Verdict LinkIntake::add(const url::Url& given, const Target& facts,
                                    std::uint64_t series) {
  const url::Url* url = &given;
  url::Url stripped;
  if (given.has_credentials()) {  // they are never sent, and would duplicate pages
    std::string text = std::string(given.protocol()) + "//" + std::string(given.host());
    if (stripped.assign(text.append(given.request_target())) == url::UrlFailure::none) {
      url = &stripped;
    }
  }
  return add(*url, identity_.fingerprint(*url), facts, series);
}

LinkIntake::Verdict LinkIntake::add(const url::Url& url, std::uint64_t fingerprint,
                                    const Target& facts, std::uint64_t series) {
  series_in_hand_ = series;
  if (frontier_.knows(fingerprint, facts.depth)) {
    note_seen(url, fingerprint, facts);
    return Verdict::seen;
  }
  const SkipReason reason = judge_scope(url, fingerprint, facts);
  if (!options_.asks_for_leaves) return settle(url, fingerprint, facts, reason);
  Target perhaps_leaf = facts;
  const SkipReason left = judge_leaf(url, reason, perhaps_leaf);
  return settle(url, fingerprint, perhaps_leaf, left);
}

bool LinkIntake::may_add(const url::Url& url, std::uint64_t fingerprint, const Target& facts) {
  return !frontier_.knows(fingerprint, facts.depth) &&
         judge_scope(url, fingerprint, facts) == SkipReason::none;
}

LinkIntake::Verdict LinkIntake::add_leased(const url::Url& url, const Target& facts) {
  if (facts.is_root()) scope_.add_root(url);
  series_in_hand_ = 0;
  return settle(url, identity_.fingerprint(url), facts, SkipReason::none);
}

SkipReason LinkIntake::judge_leaf(const url::Url& url, SkipReason reason, Target& facts) {
  // The redirect target of a leaf may be in scope; parts of pages stay leaves.
  const bool is_leaf = makes_leaf(reason) || (facts.is_leaf() && facts.is_requisite());
  if (!is_leaf) {
    facts.leaf = Leaf::no;
    return reason;
  }
  if (!facts.is_leaf()) facts.leaf = Leaf::yes;
  if (scope_.is_excluded(url)) return SkipReason::excluded;
  const bool is_known = hooks_.wants_leaf && !hooks_.wants_leaf(url);
  return is_known ? SkipReason::filtered : SkipReason::none;
}

LinkIntake::Verdict LinkIntake::settle(const url::Url& url, std::uint64_t fingerprint,
                                       const Target& facts, SkipReason reason) {
  if (reason == SkipReason::none && peers_ != nullptr) {
    const auto sent = peers_->send(url, fingerprint, facts);
    if (sent == Peers::Sent::sent) return Verdict::added;
    if (sent == Peers::Sent::sent_before) return Verdict::seen;
  }
  std::string detail;
  if (reason == SkipReason::none) {
    detail = forbidding_line(url);
    // A forbidden URL may be found often, and is not counted.
    reason = detail.empty() ? judge_host(url, facts) : SkipReason::robots;
  }
  if (reason != SkipReason::none) {
    refuse(url.without_fragment(), fingerprint, reason, facts, std::move(detail));
    return Verdict::refused;
  }
  Target target = facts;
  if (options_.order == CrawlOrder::score) target.score = score(url, facts.depth);
  const bool is_guess = facts.purpose == Purpose::guess && guesses_.size() < kGuessesMax;
  if (is_guess) counts_.push_back({.what = Counted::guesses, .count = 1, .key = fingerprint});
  switch (frontier_.discover(url, fingerprint, target, counts_)) {
    case Discovery::added:
      if (is_guess) guesses_.insert(fingerprint);
      return Verdict::added;
    case Discovery::seen: note_seen(url, fingerprint, facts); return Verdict::seen;
    case Discovery::closed: break;
  }
  if (events_ == nullptr) return Verdict::closed;
  target.url = url.without_fragment();
  // Its record may come after the page that contains it has ended.
  if (target.ticket == 0) target.ticket = frontier_.send(fingerprint, target);
  events_->on_drop(std::move(target), frontier_.end_of(url));
  return Verdict::closed;
}

void LinkIntake::note_seen(const url::Url& url, std::uint64_t fingerprint, const Target& facts) {
  if (guesses_.size() == 0 || facts.purpose == Purpose::guess) return;
  if (!guesses_.contains(fingerprint)) return;
  // Most pages link to themselves.
  const auto page = url::Url::parse(facts.via.url());
  if (page && identity_.fingerprint(*page) == fingerprint) return;
  if (linked_guesses_.insert(fingerprint)) frontier_.note_linked(url, fingerprint);
}

std::string LinkIntake::forbidding_line(const url::Url& url) const {
  if (!options_.obeys_robots) return {};
  const OriginRules* const rules = frontier_.rules_for(url);
  if (rules == nullptr) return {};  // the rules are checked when it is claimed
  const robots::Decision decision = rules->robots.decide(url.request_target());
  return decision.allowed ? std::string() : describe(decision);
}

std::uint8_t LinkIntake::score(const url::Url& url, std::uint32_t depth) {
  return hooks_.score ? hooks_.score(url, depth) : url_score(url, depth);
}

}  // namespace gossamer::crawler

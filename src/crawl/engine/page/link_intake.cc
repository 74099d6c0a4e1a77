#include "engine/page/link_intake.h"

#include <algorithm>
#include <utility>

#include "engine/page/peers.h"
#include "scope/url_score.h"

namespace gossamer::crawler {
namespace {

// The reasons that make a URL a leaf. For all other reasons it is skipped.
bool makes_leaf(SkipReason reason) {
  return reason == SkipReason::out_of_scope || reason == SkipReason::not_included ||
         reason == SkipReason::too_deep || reason == SkipReason::extension;
}

}  // namespace

LinkIntake::LinkIntake(const Options& options, Hooks& hooks, Frontier& frontier, Setting setting,
                       EngineEvents* events, Peers* peers)
    : options_(options),
      hooks_(hooks),
      frontier_(frontier),
      events_(events),
      peers_(peers),
      setting_(setting) {
  traps_.tell(counts_);
  budgets_.tell(counts_);
  series_.tell(counts_);
}

void LinkIntake::recall(std::span<const StoredCount> counts) {
  for (const StoredCount& count : counts) {
    rules_of_owner_.recall(count);
    guesses_.recall(count);
  }
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
    if (peers_->send_refused(url, fingerprint, reason, facts, detail)) return;
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

Verdict LinkIntake::add_root(const url::Url& root) {
  scope_.add_root(root);
  Target facts;
  facts.purpose = Purpose::root;
  return add(root, facts);
}

Verdict LinkIntake::add(const url::Url& given, const Target& facts, std::uint64_t series) {
  const url::Url* url = &given;
  url::Url stripped;
  if (given.has_credentials()) {  // they are never sent, and would duplicate pages
    std::string text = std::string(given.protocol()) + "//" + std::string(given.host());
    if (stripped.assign(text.append(given.request_target())) == url::UrlFailure::none) {
      url = &stripped;
    }
  }
  return add(*url, facts, link_facts(facts, identity_.fingerprint(*url), series));
}

LinkFacts LinkIntake::link_facts(const Target& facts, std::uint64_t fingerprint,
                                 std::uint64_t series) const {
  return {.fingerprint = fingerprint,
          .series = series,
          .depth = facts.depth,
          .is_root = facts.is_root(),
          .is_requisite = facts.is_requisite(),
          .is_leaf = facts.is_leaf(),
          .may_become_leaf = options_.asks_for_leaves};
}

Verdict LinkIntake::add(const url::Url& url, const Target& facts, LinkFacts link) {
  if (frontier_.knows(link.fingerprint, facts.depth)) {
    note_seen(url, link.fingerprint, facts);
    return Verdict::seen;
  }
  const SkipReason reason =
      link.has_passed ? filter_.judge_again(link) : rules_of_finder_.judge(url, link);
  if (!options_.asks_for_leaves) {
    return reason == SkipReason::none ? accept(url, facts, link)
                                      : refuse_link(url, facts, link, reason);
  }
  Target perhaps_leaf = facts;
  const SkipReason left = judge_leaf(url, reason, perhaps_leaf);
  link.is_leaf = perhaps_leaf.is_leaf();
  return left == SkipReason::none ? accept(url, perhaps_leaf, link)
                                  : refuse_link(url, perhaps_leaf, link, left);
}

bool LinkIntake::may_add(const url::Url& url, std::uint64_t fingerprint, const Target& facts) {
  return !frontier_.knows(fingerprint, facts.depth) &&
         rules_of_finder_.judge(url, link_facts(facts, fingerprint, 0)) == SkipReason::none;
}

Verdict LinkIntake::add_leased(const url::Url& url, const Target& facts) {
  if (facts.is_root()) scope_.add_root(url);
  return accept(url, facts, link_facts(facts, identity_.fingerprint(url), 0));
}

SkipReason LinkIntake::judge_leaf(const url::Url& url, SkipReason reason, Target& facts) {
  if (reason == SkipReason::excluded) return reason;
  // The redirect target of a leaf may be in scope; parts of pages stay leaves.
  const bool is_leaf = makes_leaf(reason) || (facts.is_leaf() && facts.is_requisite());
  if (!is_leaf) {
    facts.leaf = Leaf::no;
    return reason;
  }
  if (!facts.is_leaf()) facts.leaf = Leaf::yes;
  const bool is_known = hooks_.wants_leaf && !hooks_.wants_leaf(url);
  return is_known ? SkipReason::filtered : SkipReason::none;
}

Verdict LinkIntake::refuse_link(const url::Url& url, const Target& facts, const LinkFacts& link,
                                SkipReason reason) {
  std::string detail = reason == SkipReason::robots ? robots_.forbidding_line(url) : std::string();
  refuse(url.without_fragment(), link.fingerprint, reason, facts, std::move(detail));
  return Verdict::refused;
}

Verdict LinkIntake::accept(const url::Url& url, const Target& facts, const LinkFacts& link) {
  if (peers_ != nullptr) {
    if (const auto sent = peers_->send(url, link.fingerprint, facts)) return *sent;
  }
  counts_.clear();
  const SkipReason reason = rules_of_owner_.judge(url, link);
  if (reason != SkipReason::none) return refuse_link(url, facts, link, reason);
  Target target = facts;
  if (options_.order == CrawlOrder::score) target.score = score(url, facts.depth);
  const bool is_guess = facts.purpose == Purpose::guess && guesses_.has_room();
  if (is_guess) {
    counts_.push_back({.what = Counted::guesses, .count = 1, .key = link.fingerprint});
  }
  const Verdict verdict = frontier_.discover(url, link.fingerprint, target, counts_);
  if (verdict == Verdict::added && is_guess) guesses_.add(link.fingerprint);
  if (verdict == Verdict::seen) note_seen(url, link.fingerprint, facts);
  if (verdict != Verdict::closed || events_ == nullptr) return verdict;
  target.url = url.without_fragment();
  // Its record may come after the page that contains it has ended.
  if (target.ticket == 0) target.ticket = frontier_.send(link.fingerprint, target);
  events_->on_drop(std::move(target), frontier_.end_of(url));
  return verdict;
}

void LinkIntake::note_seen(const url::Url& url, std::uint64_t fingerprint, const Target& facts) {
  if (facts.purpose == Purpose::guess || !guesses_.contains(fingerprint)) return;
  // Most pages link to themselves.
  const auto page = url::Url::parse(facts.via.url());
  if (page && identity_.fingerprint(*page) == fingerprint) return;
  if (guesses_.mark_linked(fingerprint)) frontier_.note_linked(url, fingerprint);
}

std::uint8_t LinkIntake::score(const url::Url& url, std::uint32_t depth) {
  return hooks_.score ? hooks_.score(url, depth) : url_score(url, depth);
}

}  // namespace gossamer::crawler

#include "crawl/page/link_intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "crawl/scope/logout.h"
#include "crawl/scope/url_score.h"
#include "crawl/shards/shards.h"
#include "url/public_suffix.h"

namespace gossamer::crawler {
namespace {

bool is_requisite_kind(html::LinkKind kind) {
  switch (kind) {
    case html::LinkKind::image:
    case html::LinkKind::script:
    case html::LinkKind::style:
    case html::LinkKind::media:
    case html::LinkKind::asset:
    case html::LinkKind::preload: return true;
    default: return false;
  }
}

// What leads the reader on. Forms are not sent, and what is for machines is left to them.
bool is_page_kind(html::LinkKind kind) {
  switch (kind) {
    case html::LinkKind::page:
    case html::LinkKind::frame:
    case html::LinkKind::alternate:
    case html::LinkKind::canonical:
    case html::LinkKind::next:
    case html::LinkKind::prev:
    case html::LinkKind::refresh: return true;
    default: return false;
  }
}

// A host to connect to in time, and nothing to ask it for.
bool is_mere_hint(html::RelSet rel) {
  return rel.has(html::Rel::preconnect) || rel.has(html::Rel::dns_prefetch);
}

// Why a leaf is one. For all other reasons a URL is not asked for at all.
bool makes_leaf(SkipReason reason) {
  return reason == SkipReason::out_of_scope || reason == SkipReason::not_included ||
         reason == SkipReason::too_deep || reason == SkipReason::extension;
}

bool says_nofollow(html::RelSet rel) {
  return rel.has(html::Rel::nofollow) || rel.has(html::Rel::ugc) || rel.has(html::Rel::sponsored);
}

// What the links of a page have in common.
Target facts_of_links(const PageReading& page, const url::Url& url, const Target& from) {
  Target facts;
  facts.via = Referrer(std::string(url.without_fragment()));
  facts.depth = static_cast<std::uint16_t>(from.depth + (from.depth < 0xFFFF ? 1 : 0));
  if (page.is_sitemap_index()) facts.purpose = Purpose::nested_sitemap;
  // What a sitemap lists is as near as a root.
  if (page.kind() == BodyKind::sitemap) facts.depth = from.depth;
  return facts;
}

}  // namespace

std::string describe(const robots::Decision& decision) {
  return fmt::format("robots.txt line {}: {}", decision.line, decision.pattern);
}

void PageSet::begin(std::size_t items_max) {
  const std::size_t wanted = std::bit_ceil(items_max * 2 + 16);
  slots_.assign(wanted, 0);
  mask_ = wanted - 1;
}

bool PageSet::insert(std::uint64_t fingerprint) {
  if (fingerprint == 0) fingerprint = 1;  // 0 is a free slot; one false "seen" in 2^64
  std::size_t at = (fingerprint * multiplier_ >> 32) & mask_;
  while (slots_[at] != 0) {
    if (slots_[at] == fingerprint) return false;
    at = (at + 1) & mask_;
  }
  slots_[at] = fingerprint;
  return true;
}

LinkIntake::LinkIntake(const Options& options, Hooks& hooks, Frontier& frontier, Setting setting,
                       EngineEvents* events, Shard* shard)
    : options_(options),
      hooks_(hooks),
      frontier_(frontier),
      events_(events),
      shard_(shard),
      this_year_(setting.this_year),
      scope_(options.scope, url::PublicSuffixList::built_in(), options.hosts),
      traps_(options.traps),
      series_(options.traps),
      budgets_(options.budgets),
      identity_(options.identity),
      salt_(setting.salt),
      refused_(setting.salt),
      spare_set_(setting.salt),
      memo_(setting.salt) {
  traps_.tell(counts_);
  budgets_.tell(counts_);
}

void LinkIntake::recall(std::span<const KeptCount> counts) {
  for (const KeptCount& kept : counts) {
    traps_.recall(kept);
    series_.recall(kept);
    budgets_.recall(kept);
  }
}

SkipReason LinkIntake::judge_scope(const url::Url& url, const Target& facts) {
  const LinkFacts link = {
      .depth = facts.depth, .is_root = facts.is_root(), .is_requisite = facts.is_requisite()};
  if (const SkipReason reason = scope_.judge(url, link); reason != SkipReason::none) return reason;
  if (options_.avoids_logout && !facts.is_root() && leads_to_logout(url)) return SkipReason::logout;
  const bool is_filtered = hooks_.wants_url && !hooks_.wants_url(url);
  return is_filtered ? SkipReason::filtered : SkipReason::none;
}

// What counts URLs of a host, and so belongs to the loop that has it.
SkipReason LinkIntake::judge_host(const url::Url& url, const Target& facts) {
  counts_.clear();
  if (facts.is_root() || facts.is_leaf()) return SkipReason::none;
  const SkipReason trap = traps_.judge_and_count(url, this_year_);
  if (trap != SkipReason::none) return trap;
  if (const SkipReason spent = budgets_.charge(url); spent != SkipReason::none) return spent;
  if (series_in_hand_ != 0) series_.tell(series_in_hand_, counts_);
  if (frontier_.knows_host(url.hostname())) return SkipReason::none;
  // The crawl is ending for want of memory: what it would only throw away is not added.
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
  if (shard_ != nullptr) {
    const auto sent = shard_->send_refused(url, fingerprint, reason, facts, detail);
    if (sent != Shard::Sent::own) return;
  }
  events_->on_skip({.url = url,
                    .reason = reason,
                    .via = facts.via.url(),
                    .depth = facts.depth,
                    .detail = std::move(detail)});
}

void LinkIntake::widen(const url::Url& root) {
  scope_.add_root(root);
  if (shard_ != nullptr) shard_->widen(root);
}

LinkIntake::Verdict LinkIntake::add_root(const url::Url& root) {
  scope_.add_root(root);
  Target facts;
  facts.purpose = Purpose::root;
  return add(root, facts);
}

LinkIntake::Verdict LinkIntake::add(const url::Url& given, const Target& facts) {
  const url::Url* url = &given;
  url::Url stripped;
  if (given.has_credentials()) {  // they are never sent, and would make two pages of one
    std::string text = std::string(given.protocol()) + "//" + std::string(given.host());
    if (stripped.assign(text.append(given.request_target())) == url::UrlFailure::none) {
      url = &stripped;
    }
  }
  return add(*url, identity_.fingerprint(*url), facts);
}

LinkIntake::Verdict LinkIntake::add(const url::Url& url, std::uint64_t fingerprint,
                                    const Target& facts) {
  if (frontier_.knows(fingerprint, facts.depth)) return Verdict::seen;
  const SkipReason reason = judge_scope(url, facts);
  if (!options_.asks_for_leaves) return settle(url, fingerprint, facts, reason);
  Target perhaps_leaf = facts;
  const SkipReason left = judge_leaf(url, reason, perhaps_leaf);
  return settle(url, fingerprint, perhaps_leaf, left);
}

SkipReason LinkIntake::judge_leaf(const url::Url& url, SkipReason reason, Target& facts) {
  // Where a leaf redirects may be within the scope; parts of pages stay what they are.
  const bool is_leaf = makes_leaf(reason) || (facts.is_leaf() && facts.is_requisite());
  if (!is_leaf) facts.leaf = Leaf::no;
  if (is_leaf && !facts.is_leaf()) facts.leaf = Leaf::yes;
  if (!is_leaf) return reason;
  if (scope_.is_excluded(url)) return SkipReason::excluded;
  const bool is_known = hooks_.wants_leaf && !hooks_.wants_leaf(url);
  return is_known ? SkipReason::filtered : SkipReason::none;
}

LinkIntake::Verdict LinkIntake::settle(const url::Url& url, std::uint64_t fingerprint,
                                       const Target& facts, SkipReason reason) {
  if (reason == SkipReason::none && shard_ != nullptr) {
    const auto sent = shard_->send(url, fingerprint, facts);
    if (sent == Shard::Sent::sent) return Verdict::added;
    if (sent == Shard::Sent::sent_before) return Verdict::seen;
  }
  std::string detail;
  if (reason == SkipReason::none) {
    detail = forbidding_line(url);
    // What is forbidden may be found often, and is not counted.
    reason = detail.empty() ? judge_host(url, facts) : SkipReason::robots;
  }
  if (reason != SkipReason::none) {
    refuse(url.without_fragment(), fingerprint, reason, facts, std::move(detail));
    return Verdict::refused;
  }
  Target target = facts;
  if (options_.order == CrawlOrder::score) target.score = score(url, facts.depth);
  switch (frontier_.discover(url, fingerprint, target, counts_)) {
    case Discovery::added: return Verdict::added;
    case Discovery::seen: return Verdict::seen;
    case Discovery::closed: break;
  }
  if (events_ == nullptr) return Verdict::closed;
  target.url = url.without_fragment();
  // Its record may come after the end of the page that it was found on.
  if (target.ticket == 0) target.ticket = frontier_.send(fingerprint, target);
  events_->on_drop(std::move(target), frontier_.end_of(url));
  return Verdict::closed;
}

std::string LinkIntake::forbidding_line(const url::Url& url) const {
  if (!options_.obeys_robots) return {};
  const OriginRules* const rules = frontier_.rules_for(url);
  if (rules == nullptr) return {};  // it is asked when its turn comes
  const robots::Decision decision = rules->robots.decide(url.request_target());
  return decision.allowed ? std::string() : describe(decision);
}

std::uint8_t LinkIntake::score(const url::Url& url, std::uint32_t depth) {
  return hooks_.score ? hooks_.score(url, depth) : url_score(url, depth);
}

bool LinkIntake::is_wanted(const html::Link& link, const Target& from) const {
  if (is_requisite_kind(link.kind)) {
    return (options_.scope.assets || options_.asks_for_leaves) && !is_mere_hint(link.rel);
  }
  // What a style sheet or another requisite refers to belongs to the page, too; its links do not.
  if (from.purpose == Purpose::requisite) return false;
  return is_page_kind(link.kind);
}

std::optional<SkipReason> LinkIntake::objection(const html::LinkList::Entry& entry,
                                                std::optional<SkipReason> refused) const {
  if (options_.avoids_logout && says_logout(entry.text)) return SkipReason::logout;
  if (options_.obeys_nofollow && says_nofollow(entry.link.rel)) return SkipReason::nofollow;
  return refused;
}

void LinkIntake::show_link(const PageReading& page, const url::Url& url, std::uint64_t fingerprint,
                           bool is_followed) {
  hooks_.see_link({.page = url,
                   .url = link_,
                   .fingerprint = fingerprint,
                   .is_followed = is_followed,
                   .is_listed = page.kind() == BodyKind::sitemap && !page.is_sitemap_index()});
}

LinkIntake::PageLinks::PageLinks(const PageReading& page, const url::Url& url, const Target& from,
                                 url::Url base, PageSet set)
    : page_(page),
      url_(url),
      from_(from),
      base_(std::move(base)),
      facts_(facts_of_links(page, url, from)),
      purpose_(facts_.purpose),
      on_page_(std::move(set)) {
  if (page.encoding()) encoder_.emplace(*page.encoding());
}

LinkIntake::PageLinks LinkIntake::begin_links(const PageReading& page, const url::Url& url,
                                              const Target& from,
                                              std::optional<SkipReason> refused) {
  const html::LinkList& list = page.links();
  PageLinks links(page, url, from,
                  html::document_base(url, list.base(), options_.scope.url_bytes_max),
                  std::exchange(spare_set_, PageSet(salt_)));
  links.refused_ = refused;
  if (!refused) links.series_ = series_key(from);
  // An index of indexes has no end if somebody wants that.
  const bool is_endless =
      links.purpose_ == Purpose::nested_sitemap && from.purpose == Purpose::nested_sitemap;
  if (list.size() == 0 || is_endless) return links;
  links.end_ = list.size();
  if (page.links_left_out() > 0) {
    refuse(url.without_fragment(), ~identity_.fingerprint(url), SkipReason::links_per_page,
           links.facts_, fmt::format("{} links more", page.links_left_out()));
  }
  links.on_page_.begin(links.end_);
  return links;
}

bool LinkIntake::add_some(PageLinks& links) {
  std::size_t work = 0;
  const std::size_t base_bytes = links.base_.href().size();
  if (links.next_ < links.end_) {
    const auto encoding = links.page_.encoding();
    memo_.begin(links.base_, encoding ? static_cast<std::uint64_t>(*encoding) + 1 : 0);
  }
  for (; links.next_ < links.end_; ++links.next_) {
    if (work >= kStepWork) return false;
    work += kLinkWork + links.page_.links()[links.next_].link.url.size() + base_bytes;
    add_link(links);
  }
  if (links.series_ != 0) end_series(links);
  for (; links.next_held_back_ < links.held_back_.size(); ++links.next_held_back_) {
    if (work >= kStepWork) return false;
    const std::size_t link = links.held_back_[links.next_held_back_];
    work += kLinkWork + links.page_.links()[link].link.url.size() + base_bytes;
    add_held_back(links, link);
  }
  // Another link of the page may have led to the same place, and without a word against it.
  for (; links.next_not_followed_ < links.not_followed_.size(); ++links.next_not_followed_) {
    if (work >= kStepWork) return false;
    const NotFollowed& link = links.not_followed_[links.next_not_followed_];
    work += kLinkWork + links.page_.links()[link.link].link.url.size() + base_bytes;
    refuse_link(links, link);
  }
  spare_set_ = std::move(links.on_page_);
  return true;
}

void LinkIntake::refuse_link(PageLinks& links, const NotFollowed& link) {
  if (frontier_.knows(link.fingerprint, links.facts_.depth)) return;
  if (!resolve(links, links.page_.links()[link.link].link.url)) return;
  refuse(link_.without_fragment(), link.fingerprint, link.reason, links.facts_);
}

bool LinkIntake::is_of_series(const PageLinks& links) const {
  return links.series_ != 0 && EndlessSeries::key_of(link_.without_fragment()) == links.series_;
}

void LinkIntake::end_series(PageLinks& links) {
  if (std::exchange(links.has_ended_series_, true)) return;
  series_.see(links.series_, links.has_news_, links.page_.content_digest() + links.images_);
}

void LinkIntake::add_held_back(PageLinks& links, std::size_t link) {
  const html::Link found = links.page_.links()[link].link;
  if (!resolve(links, found.url)) return;
  links.facts_.leaf = Leaf::no;
  links.facts_.purpose = is_requisite_kind(found.kind) ? Purpose::requisite : links.purpose_;
  const std::uint64_t fingerprint = fingerprint_of_link();
  Verdict verdict = Verdict::refused;
  const bool is_known = frontier_.knows(fingerprint, links.facts_.depth);
  if (series_.is_endless(links.series_) && !is_known) {
    refuse(link_.without_fragment(), fingerprint, SkipReason::endless_series, links.facts_);
  } else {
    verdict = add_counted(links, fingerprint, true);
  }
  if (hooks_.see_link) {
    show_link(links.page_, links.url_, fingerprint, verdict != Verdict::refused);
  }
}

LinkIntake::Verdict LinkIntake::add_counted(PageLinks& links, std::uint64_t fingerprint,
                                            bool is_of_series) {
  series_in_hand_ = is_of_series ? links.series_ : 0;
  const bool is_plain = !link_.has_credentials();
  const Verdict verdict =
      is_plain ? add(link_, fingerprint, links.facts_) : add(link_, links.facts_);
  series_in_hand_ = 0;
  if (verdict == Verdict::refused) return verdict;
  ++links.counts_.found;
  if (verdict == Verdict::seen) return verdict;
  ++links.counts_.fresh;
  links.has_news_ |= !is_of_series;
  return verdict;
}

bool LinkIntake::resolve(PageLinks& links, std::string_view link) {
  html::Encoder* const encoder = links.encoder_ ? &*links.encoder_ : nullptr;
  return link_.assign(link, &links.base_, encoder) == url::UrlFailure::none;
}

// URLs that are too long to be fetched are not worth the work that a fingerprint takes.
std::uint64_t LinkIntake::fingerprint_of_link() {
  const std::string_view text = link_.without_fragment();
  if (text.size() > options_.scope.url_bytes_max) return base::hash64(text);
  return identity_.fingerprint(link_);
}

void LinkIntake::add_link(PageLinks& links) {
  const html::LinkList::Entry entry = links.page_.links()[links.next_];
  const html::Link& link = entry.link;
  Target& facts = links.facts_;
  const bool is_requisite = is_requisite_kind(link.kind);
  if (!is_wanted(link, links.from_)) {
    if (links.series_ != 0 && is_requisite) links.images_ += base::hash64(link.url);
    return;
  }
  const std::optional<SkipReason> reason = objection(entry, links.refused_);
  // Most links lead where others have led: nothing is to be worked out about them.
  const std::optional<std::uint64_t> known = memo_.find(link.url, facts.depth);
  if (known && !reason && !hooks_.see_link) {
    links.counts_.found += links.on_page_.insert(*known) ? 1 : 0;
    return;
  }
  // Style sheets refer to other things; no other part of a page that we read does.
  const bool is_leaf =
      options_.asks_for_leaves && is_requisite && link.kind != html::LinkKind::style;
  facts.leaf = is_leaf ? Leaf::yes : Leaf::no;
  facts.purpose = is_requisite ? Purpose::requisite : links.purpose_;
  if (!resolve(links, link.url)) {
    return refuse(link.url, base::hash64(link.url), SkipReason::bad_url, facts);
  }
  const std::uint64_t fingerprint = fingerprint_of_link();
  if (reason && link_.is_http_or_https()) {
    links.not_followed_.push_back({links.next_, fingerprint, *reason});
    if (hooks_.see_link) show_link(links.page_, links.url_, fingerprint, false);
    return;
  }
  const bool is_plain = !link_.has_credentials();
  if (!links.on_page_.insert(fingerprint)) {
    // Spelled in another way than before: this one is worth remembering, too.
    if (is_plain && memo_.can_put() && frontier_.knows(fingerprint, facts.depth)) {
      memo_.put(fingerprint, facts.depth);
    }
    return;
  }
  const bool is_numbered = is_of_series(links);
  if (is_numbered && series_.is_suspect(links.series_)) {
    links.held_back_.push_back(links.next_);
    return;
  }
  const Verdict verdict = add_counted(links, fingerprint, is_numbered);
  const bool is_known = verdict == Verdict::added || verdict == Verdict::seen;
  if (is_plain && is_known) memo_.put(fingerprint, facts.depth);
  if (hooks_.see_link) {
    show_link(links.page_, links.url_, fingerprint, verdict != Verdict::refused);
  }
}

}  // namespace gossamer::crawler

#include "engine/page/page_links.h"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <utility>

#include "base/hash.h"
#include "scope/calendar.h"
#include "scope/logout.h"
#include "url/secrets.h"

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

// True for links that a reader follows, not for forms and links for machines.
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

// A hint to connect to a host early; there is nothing to fetch.
bool is_mere_hint(html::RelSet rel) {
  return rel.has(html::Rel::preconnect) || rel.has(html::Rel::dns_prefetch);
}

bool says_nofollow(html::RelSet rel) {
  return rel.has(html::Rel::nofollow) || rel.has(html::Rel::ugc) || rel.has(html::Rel::sponsored);
}

// The facts that all links of a page share.
Target facts_of_links(const PageReading& page, const url::Url& url, const Target& from) {
  Target facts;
  facts.via = Referrer(std::string(url.without_fragment()));
  facts.depth = static_cast<std::uint16_t>(from.depth + (from.depth < 0xFFFF ? 1 : 0));
  if (page.is_sitemap_index()) facts.purpose = Purpose::nested_sitemap;
  // URLs in a sitemap have the depth of a root.
  if (page.kind() == BodyKind::sitemap) facts.depth = from.depth;
  return facts;
}

}  // namespace

void PageSet::begin(std::size_t items_max) {
  const std::size_t wanted = std::bit_ceil(items_max * 2 + 16);
  slots_.assign(wanted, 0);
  mask_ = wanted - 1;
}

bool PageSet::contains(std::uint64_t fingerprint) const {
  if (slots_.empty()) return false;
  if (fingerprint == 0) fingerprint = 1;
  std::size_t at = (fingerprint * multiplier_ >> 32) & mask_;
  while (slots_[at] != 0 && slots_[at] != fingerprint) at = (at + 1) & mask_;
  return slots_[at] != 0;
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

PageLinks::PageLinks(LinkIntake& intake, const PageReading& page, const url::Url& url,
                     const Target& from, std::optional<SkipReason> refused)
    : intake_(intake),
      scratch_(intake.scratch_),
      page_(page),
      url_(url),
      from_(from),
      base_(html::document_base(url, page.links().base(), intake.options_.scope.url_bytes_max)),
      refused_(refused),
      facts_(facts_of_links(page, url, from)),
      purpose_(facts_.purpose),
      on_page_(std::exchange(scratch_.spare_set, PageSet(scratch_.salt))),
      listed_(scratch_.salt),
      passed_(scratch_.salt),
      series_(refused ? 0 : page.series()) {
  if (page.encoding()) encoder_.emplace(*page.encoding());
  // An index of indexes may be endless.
  const bool is_endless =
      purpose_ == Purpose::nested_sitemap && from.purpose == Purpose::nested_sitemap;
  if (page.links().size() == 0 || is_endless) return;
  end_ = page.links().size();
  if (page.links_left_out() > 0) {
    intake_.refuse(url.without_fragment(), ~intake_.fingerprint(url), SkipReason::links_per_page,
                   facts_, fmt::format("{} more links", page.links_left_out()));
  }
  on_page_.begin(end_);
}

std::size_t PageLinks::work_of(std::size_t number) const {
  return kLinkWork + page_.links()[number].link.url.size() + base_.href().size();
}

bool PageLinks::add_some() {
  std::size_t work = 0;
  if (next_ < end_) {
    const auto encoding = page_.encoding();
    scratch_.memo.begin(base_, encoding ? static_cast<std::uint64_t>(*encoding) + 1 : 0);
  }
  for (; next_ < end_ || begins_guesses(); ++next_) {
    if (work >= kStepWork) return false;
    work += work_of(next_);
    add_link();
  }
  if (series_ != 0) end_series();
  for (; next_held_back_ < held_back_.size(); ++next_held_back_) {
    if (work >= kStepWork) return false;
    work += work_of(held_back_[next_held_back_]);
    add_held_back(held_back_[next_held_back_]);
  }
  // Another link of the page to the same URL may have been followed.
  for (; next_not_followed_ < not_followed_.size(); ++next_not_followed_) {
    if (work >= kStepWork) return false;
    const NotFollowed& link = not_followed_[next_not_followed_];
    work += work_of(link.link);
    refuse_link(link);
  }
  scratch_.spare_set = std::move(on_page_);
  return true;
}

bool PageLinks::list_some(std::vector<Candidate>& into) {
  if (next_listed_ == 0) {
    listed_.begin(end_);
    passed_.begin(end_);
  }
  for (std::size_t work = 0; next_listed_ < end_; ++next_listed_) {
    if (work >= kStepWork) return false;
    work += work_of(next_listed_);
    list_link(page_.links()[next_listed_], into);
  }
  return true;
}

void PageLinks::list_link(const html::LinkList::Entry& entry, std::vector<Candidate>& into) {
  const bool is_guess = html::is_guess(entry.link);
  if (is_guess ? !is_wanted_guess(entry.link) : !is_wanted(entry.link)) return;
  if (objection(entry) || !resolve(entry.link)) return;
  url::Url& link = scratch_.link;
  if (link.has_credentials()) link = url::strip_credentials(link);
  const std::uint64_t fingerprint = this->fingerprint();
  if (!listed_.insert(fingerprint) || !intake_.may_add(link, fingerprint, facts_)) return;
  passed_.insert(fingerprint);
  into.push_back({std::string(link.without_fragment()), fingerprint});
}

bool PageLinks::begins_guesses() {
  if (end_ == 0 || !page_.has_guesses() || adds_guesses_) return false;
  adds_guesses_ = true;
  next_ = 0;
  return true;
}

// --- one link

void PageLinks::add_link() {
  const html::LinkList::Entry entry = page_.links()[next_];
  const html::Link& link = entry.link;
  if (html::is_guess(link) != adds_guesses_) return;
  if (!is_wanted(link)) {
    if (series_ != 0 && is_requisite_kind(link.kind)) images_ += base::hash64(link.url);
    return;
  }
  const std::optional<SkipReason> reason = objection(entry);
  // Most links lead to known URLs and need no further work.
  const std::optional<std::uint64_t> known = scratch_.memo.find(link.url, facts_.depth);
  if (known && !reason && !intake_.hooks_.see_link) {
    counts_.found += on_page_.insert(*known) ? 1 : 0;
    return;
  }
  if (!resolve(link)) {
    return intake_.refuse(link.url, base::hash64(link.url), SkipReason::bad_url, facts_);
  }
  const std::uint64_t fingerprint = this->fingerprint();
  // Most data that is not followed leads elsewhere, and is not worth a word.
  const bool is_data = link.kind == html::LinkKind::data;
  if (is_data && (reason || !intake_.may_add(scratch_.link, fingerprint, facts_))) return;
  Verdict verdict = Verdict::refused;
  switch (classify(fingerprint, reason)) {
    case Class::held_back: return held_back_.push_back(next_);
    case Class::not_followed: not_followed_.push_back({next_, fingerprint, *reason}); break;
    case Class::repeated:
      // This is a new spelling of a known URL, so the memo stores it, too.
      if (scratch_.memo.can_put() && intake_.frontier_.knows(fingerprint, facts_.depth)) {
        remember(fingerprint);
      }
      return;
    case Class::fresh: verdict = admit(fingerprint, false); break;
    case Class::numbered: verdict = admit(fingerprint, true); break;
  }
  if (verdict == Verdict::added || verdict == Verdict::seen) remember(fingerprint);
  show(fingerprint, verdict != Verdict::refused);
}

bool PageLinks::is_wanted(const html::Link& link) const {
  const Options& options = intake_.options_;
  if (is_requisite_kind(link.kind)) {
    const bool is_mined = options.mines_scripts && link.kind == html::LinkKind::script;
    return (options.scope.assets || options.asks_for_leaves || is_mined) && !is_mere_hint(link.rel);
  }
  if (adds_guesses_) return is_wanted_guess(link);
  // Requisites of a style sheet or another requisite belong to the page, too; links do not.
  if (from_.purpose == Purpose::requisite) return false;
  return is_page_kind(link.kind);
}

// Readers do not see data, so a check of links has no use for it.
bool PageLinks::is_wanted_guess(const html::Link& link) const {
  const Options& options = intake_.options_;
  return link.kind == html::LinkKind::data ? !options.asks_for_leaves : options.mines_scripts;
}

std::optional<SkipReason> PageLinks::objection(const html::LinkList::Entry& entry) const {
  if (intake_.options_.avoids_logout && says_logout(entry.text)) return SkipReason::logout;
  if (intake_.options_.obeys_nofollow && says_nofollow(entry.link.rel)) return SkipReason::nofollow;
  return refused_;
}

bool PageLinks::resolve(const html::Link& link) {
  const bool is_requisite = is_requisite_kind(link.kind);
  // Of the parts of pages that we read, only style sheets refer to other parts.
  const bool is_leaf =
      intake_.options_.asks_for_leaves && is_requisite && link.kind != html::LinkKind::style;
  facts_.leaf = is_leaf ? Leaf::yes : Leaf::no;
  facts_.purpose = is_requisite           ? Purpose::requisite
                   : html::is_guess(link) ? Purpose::guess
                                          : purpose_;
  html::Encoder* const encoder = encoder_ ? &*encoder_ : nullptr;
  return scratch_.link.assign(link.url, &base_, encoder) == url::UrlFailure::none;
}

// URLs that are too long to be fetched need no fingerprint.
std::uint64_t PageLinks::fingerprint() {
  const std::string_view text = scratch_.link.without_fragment();
  if (text.size() > intake_.options_.scope.url_bytes_max) return base::hash64(text);
  return intake_.fingerprint(scratch_.link);
}

PageLinks::Class PageLinks::classify(std::uint64_t fingerprint, std::optional<SkipReason> reason) {
  if (reason && scratch_.link.is_http_or_https()) return Class::not_followed;
  if (!on_page_.insert(fingerprint)) return Class::repeated;
  if (series_ == 0 || EndlessSeries::key_of(scratch_.link.without_fragment()) != series_) {
    return Class::fresh;
  }
  return intake_.series_.is_suspect(series_) ? Class::held_back : Class::numbered;
}

Verdict PageLinks::admit(std::uint64_t fingerprint, bool is_of_series) {
  const url::Url& link = scratch_.link;
  const std::uint64_t series = is_of_series ? series_ : 0;
  LinkFacts facts = intake_.link_facts(facts_, fingerprint, series);
  facts.has_passed = passed_.contains(fingerprint);
  const Verdict verdict =
      link.has_credentials() ? intake_.add(link, facts_, series) : intake_.add(link, facts_, facts);
  if (verdict == Verdict::refused) return verdict;
  ++counts_.found;
  if (verdict == Verdict::seen) return verdict;
  ++counts_.fresh;
  if (!is_of_series) {
    has_news_ = true;
  } else if (has_ended_series_) {
    intake_.series_.count_added(series_);
  } else {
    ++numbered_;
  }
  return verdict;
}

// A guess is not stored, because a later link must find that it is more than that.
void PageLinks::remember(std::uint64_t fingerprint) {
  if (facts_.purpose == Purpose::guess || intake_.guesses_.is_mere(fingerprint)) return;
  if (!scratch_.link.has_credentials()) scratch_.memo.put(fingerprint, facts_.depth);
}

void PageLinks::show(std::uint64_t fingerprint, bool is_followed) {
  Hooks& hooks = intake_.hooks_;
  if (!hooks.see_link) return;
  hooks.see_link({.page = url_,
                  .url = scratch_.link,
                  .fingerprint = fingerprint,
                  .is_followed = is_followed,
                  .is_listed = page_.kind() == BodyKind::sitemap && !page_.is_sitemap_index()});
}

// --- links that were held back

void PageLinks::end_series() {
  if (std::exchange(has_ended_series_, true)) return;
  const bool is_date =
      !has_news_ && is_of_calendar(url_, intake_.options_.traps, intake_.setting_.this_year);
  intake_.series_.see(series_, {.has_new_links = has_news_,
                                .is_date = is_date,
                                .content = page_.content_digest() + images_,
                                .added = numbered_});
}

void PageLinks::add_held_back(std::size_t number) {
  if (!resolve(page_.links()[number].link)) return;
  const std::uint64_t fingerprint = this->fingerprint();
  Verdict verdict = Verdict::refused;
  const bool is_known = intake_.frontier_.knows(fingerprint, facts_.depth);
  if (intake_.series_.is_endless(series_) && !is_known) {
    intake_.refuse(scratch_.link.without_fragment(), fingerprint, SkipReason::endless_series,
                   facts_);
  } else {
    verdict = admit(fingerprint, true);
  }
  show(fingerprint, verdict != Verdict::refused);
}

void PageLinks::refuse_link(const NotFollowed& link) {
  if (intake_.frontier_.knows(link.fingerprint, facts_.depth)) return;
  if (!resolve(page_.links()[link.link].link)) return;
  intake_.refuse(scratch_.link.without_fragment(), link.fingerprint, link.reason, facts_);
}

}  // namespace gossamer::crawler

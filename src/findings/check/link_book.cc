#include "check/link_book.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "check/fragment.h"
#include "check/quoted_text.h"
#include "check/reader.h"
#include "record/skip_reason.h"
#include "url/percent.h"

namespace gossamer::check {
namespace {

constexpr std::size_t kHopsMax = 50;

std::uint32_t id_hash(std::string_view id) { return static_cast<std::uint32_t>(base::hash64(id)); }

// Returns whether a browser loads it together with the page.
bool is_part_of_page(html::LinkKind kind) {
  switch (kind) {
    case html::LinkKind::image:
    case html::LinkKind::script:
    case html::LinkKind::style:
    case html::LinkKind::media:
    case html::LinkKind::frame:
    case html::LinkKind::asset: return true;
    default: return false;
  }
}

}  // namespace

void LinkBook::Places::add(StoredPlace place) {
  ++count;
  if (first.size() < kPlacesMax) first.push_back(std::move(place));
}

LinkBook::LinkBook(const url::IdentityRules& identity, LinkBookLimits limits)
    : identity_(identity), limits_(limits) {}

// Credentials are never sent, so they do not make another page.
std::uint64_t LinkBook::key_of(const url::Url& url) const {
  if (!url.has_credentials() || !url.is_http_or_https()) return identity_.fingerprint(url);
  std::string text = std::string(url.protocol()) + "//" + std::string(url.host());
  url::Url stripped;
  const auto failure = stripped.assign(text.append(url.request_target()));
  return identity_.fingerprint(failure == url::UrlFailure::none ? stripped : url);
}

std::uint32_t LinkBook::add_page(std::string shown, bool is_https) {
  pages_.push_back({std::move(shown), is_https});
  return static_cast<std::uint32_t>(pages_.size() - 1);
}

LinkBook::Target* LinkBook::target_for(std::uint64_t key, const url::Url& url,
                                       std::string_view shown) {
  if (const auto found = targets_.find(key); found != targets_.end()) return &found->second;
  if (targets_.size() >= limits_.urls_max) return nullptr;
  Target& target = targets_[key];
  target.url = shown.empty() ? url.without_fragment() : shown;
  return &target;
}

void LinkBook::add_link(std::uint32_t page, const LinkPlace& link, const url::Url& url,
                        std::string_view shown) {
  ++links_;
  const std::uint64_t key = key_of(url);
  Target* const target = target_for(key, url, shown);
  if (target == nullptr) return;
  const StoredPlace place = {.page = page, .at = link.at, .text = link.text};
  if (pages_[page].is_https && url.scheme_kind() == url::SchemeKind::http) {
    (is_part_of_page(link.kind) ? target->mixed : target->insecure).add(place);
  }
  if (!is_part_of_page(link.kind)) {
    if (std::string name = named_place(url); !name.empty()) {
      add_fragment(key, std::move(name), false, place);
    }
    for (std::string& text : quotations(url)) add_fragment(key, std::move(text), true, place);
  }
  if (target->answer.kind == Answer::Kind::good) {
    ++target->places.count;
  } else {
    target->places.add(place);
  }
}

void LinkBook::add_faulty_link(std::uint32_t page, const LinkPlace& link, Answer answer) {
  ++links_;
  const std::uint64_t key = base::hash64(link.url) ^ base::hash64(answer.cause);
  if (!targets_.contains(key) && targets_.size() >= limits_.urls_max) return;
  Target& target = targets_[key];
  target.url = link.url;
  target.answer = std::move(answer);
  target.places.add({.page = page, .at = link.at, .text = link.text});
}

void LinkBook::add_fragment(std::uint64_t key, std::string name, bool is_text, StoredPlace place) {
  bool is_known = false;
  if (!is_text && has_place(key, name, is_known)) return;
  const std::uint64_t own_key = base::hash64(name, key);
  if (!fragments_.contains(own_key) && fragments_.size() >= limits_.fragments_max) return;
  Fragment& fragment = fragments_[own_key];
  fragment.target = key;
  fragment.name = std::move(name);
  fragment.is_text = is_text;
  fragment.places.add(std::move(place));
}

void LinkBook::add_ids(const url::Url& document, const std::vector<std::string>& ids) {
  // If not all ids are known, none can be reported as missing.
  if (ids.size() >= kIdsMax || ids_held_ + ids.size() > limits_.ids_max) return;
  std::vector<std::uint32_t>& hashes = ids_[key_of(document)];
  ids_held_ -= hashes.size();
  hashes.clear();
  hashes.reserve(ids.size());
  for (const std::string& id : ids) hashes.push_back(id_hash(id));
  std::ranges::sort(hashes);
  ids_held_ += hashes.size();
}

void LinkBook::add_words(std::uint64_t key, std::vector<std::uint32_t> words) {
  // If not all words are known, no text can be reported as missing.
  if (words.size() >= kWordsMax || words_held_ + words.size() > limits_.words_max) return;
  std::vector<std::uint32_t>& held = words_[key];
  words_held_ += words.size() - held.size();
  words.shrink_to_fit();
  held = std::move(words);
}

void LinkBook::add_body(const url::Url& document, std::string body, std::string charset) {
  const std::uint64_t key = key_of(document);
  if (!has_room_for(body)) return add_words(key, words_of({std::move(body), std::move(charset)}));
  Body& held = bodies_[key];
  bodies_held_ += body.capacity() - held.bytes.capacity();
  held = {.bytes = std::move(body), .charset = std::move(charset)};
}

std::vector<std::uint32_t> LinkBook::words_of(const Body& body) {
  return read_document(DocumentType::html, body.bytes, body.charset, {}, Words::kept)
      .document.words;
}

void LinkBook::read_quoted_bodies() {
  for (const auto& [own_key, fragment] : fragments_) {
    if (!fragment.is_text) continue;
    const auto found = bodies_.find(resolve(fragment.target).key);
    if (found == bodies_.end()) continue;
    add_words(found->first, words_of(found->second));
    bodies_.erase(found);
  }
}

bool LinkBook::lacks_text(std::uint64_t key, std::string_view quotation) const {
  const auto found = words_.find(key);
  if (found == words_.end()) return false;
  const QuotedText quoted = parse_quotation(quotation);
  const std::uint64_t steps =
      std::uint64_t{found->second.size()} * (quoted.begin.size() + quoted.end.size());
  if (steps > limits_.text_steps_max - text_steps_) return false;
  text_steps_ += steps;
  return !contains(found->second, quoted);
}

bool LinkBook::has_place(std::uint64_t key, std::string_view name, bool& is_known) const {
  const auto found = ids_.find(key);
  is_known = found != ids_.end();
  if (!is_known) return false;
  const auto has = [&found](std::string_view id) {
    return std::ranges::binary_search(found->second, id_hash(id));
  };
  // GitHub puts this before the ids of a README, and its script scrolls to them.
  constexpr std::string_view kOfTheUser = "user-content-";
  const std::string plain = url::percent_decoded(name);
  return has(name) || has(plain) || has(std::string(kOfTheUser).append(plain));
}

bool LinkBook::is_open(const url::Url& url) const {
  const auto found = targets_.find(key_of(url));
  return found == targets_.end() || found->second.answer.kind == Answer::Kind::unknown;
}

void LinkBook::answer(const url::Url& url, Answer answer, bool is_source) {
  Target* const target = target_for(key_of(url), url, {});
  if (target == nullptr) return;
  // A reason for skipping the URL does not matter once it was fetched.
  const bool is_worse = answer.kind == Answer::Kind::unchecked &&
                        target->answer.kind != Answer::Kind::unknown &&
                        target->answer.kind != Answer::Kind::unchecked;
  if (is_worse) return;
  target->answer = std::move(answer);
  target->is_source |= is_source;
  if (target->answer.kind == Answer::Kind::good) target->places.first = {};
}

// --- the end

LinkBook::Resolved LinkBook::resolve(std::uint64_t key) const {
  Resolved resolved;
  resolved.key = key;
  bool is_permanent = true;  // of all redirects so far
  for (std::size_t hops = 0;; ++hops) {
    const auto found = targets_.find(resolved.key);
    if (found == targets_.end()) return resolved;
    resolved.answer = found->second.answer;
    if (resolved.answer.kind != Answer::Kind::redirect) return resolved;
    if (hops == kHopsMax) break;
    is_permanent = is_permanent && resolved.answer.is_permanent();
    if (is_permanent) resolved.permanent_to = resolved.answer.next;
    const auto next = url::Url::parse(resolved.answer.next);
    if (!next) return resolved;
    const std::uint64_t next_key = key_of(*next);
    // The target is another spelling of the URL itself, which was then fetched.
    if (next_key == resolved.key) {
      if (resolved.answer.next == found->second.url) break;  // an endless redirect to itself
      resolved.answer.kind = Answer::Kind::good;
      return resolved;
    }
    resolved.key = next_key;
  }
  resolved.answer = {.kind = Answer::Kind::broken,
                     .status = std::nullopt,
                     .cause = "redirect_loop",
                     .detail = "its redirects form a loop",
                     .next = {}};
  return resolved;
}

Finding LinkBook::finding(FindingKind kind, std::string url, const Places& places) const {
  Finding made;
  made.kind = kind;
  made.url = std::move(url);
  made.links = places.count;
  for (const StoredPlace& place : places.first) {
    made.places.push_back({.page = pages_[place.page].shown, .at = place.at, .text = place.text});
  }
  std::ranges::sort(made.places, {}, [](const Place& place) {
    return std::make_tuple(std::string_view(place.page), place.at.line, place.at.column);
  });
  return made;
}

void LinkBook::put(Finding finding, Findings& into) {
  ++into.counts[finding.kind];
  if (finding.kind == FindingKind::unchecked) ++into.unchecked[finding.cause];
  if (is_undecided(finding.kind) && finding.is_source) ++into.sources_unchecked;
  into.all.push_back(std::move(finding));
}

void LinkBook::judge(std::uint64_t key, const Target& target, Findings& into) const {
  const Resolved end = resolve(key);
  // The target of a redirect matters for the links to the redirect.
  const bool matters = target.places.count > 0 || target.is_source;
  const auto about = [&](FindingKind kind) {
    Finding made = finding(kind, target.url, target.places);
    made.cause = end.answer.cause;
    made.detail = end.answer.detail;
    made.is_source = target.is_source;
    if (end.key != key && targets_.contains(end.key)) made.leads_to = targets_.at(end.key).url;
    return made;
  };
  if (end.answer.kind == Answer::Kind::broken && matters) {
    put(about(FindingKind::broken), into);
  } else if (end.answer.kind == Answer::Kind::blocked && matters) {
    put(about(FindingKind::blocked), into);
  } else if (end.answer.kind == Answer::Kind::unchecked && matters) {
    put(about(FindingKind::unchecked), into);
  } else if (end.answer.kind == Answer::Kind::unknown && matters) {
    Finding made = about(FindingKind::unchecked);
    made.cause = "stopped";
    made.detail = "the check ended before it was checked";
    put(std::move(made), into);
  } else if (!end.permanent_to.empty() && target.places.count > 0) {
    Finding made = about(FindingKind::redirect);
    made.cause = std::to_string(target.answer.status.value_or(301));
    made.detail = "moved permanently";
    made.leads_to = end.permanent_to;
    put(std::move(made), into);
  }
  // The user excluded it, so it is not reported.
  const bool is_excluded = target.answer.kind == Answer::Kind::unchecked &&
                           target.answer.cause == crawler::name(crawler::SkipReason::excluded);
  if (is_excluded) return;
  if (target.insecure.count > 0) {
    Finding made = finding(FindingKind::insecure, target.url, target.insecure);
    made.cause = "http";
    made.detail = "an http link on an https page";
    put(std::move(made), into);
  }
  if (target.mixed.count > 0) {
    Finding made = finding(FindingKind::mixed, target.url, target.mixed);
    made.cause = "http";
    made.detail = "an https page loads it over http";
    put(std::move(made), into);
  }
}

void LinkBook::judge(const Fragment& fragment, Findings& into) const {
  const Resolved end = resolve(fragment.target);
  if (end.answer.kind != Answer::Kind::good) return;  // already reported
  if (fragment.is_text) {
    if (!lacks_text(end.key, fragment.name)) return;
    Finding made = finding(FindingKind::text,
                           targets_.at(fragment.target).url + "#" + fragment.name, fragment.places);
    made.cause = "no_such_text";
    made.detail = "the page does not have the text \"" + describe_quotation(fragment.name) + "\"";
    return put(std::move(made), into);
  }
  bool is_known = false;
  if (has_place(end.key, fragment.name, is_known) || !is_known) return;
  const std::string shown =
      targets_.at(fragment.target).url + "#" + url::percent_decoded(fragment.name);
  Finding made = finding(FindingKind::fragment, shown, fragment.places);
  made.cause = "no_such_id";
  made.detail = "the page has no element with that id";
  put(std::move(made), into);
}

Findings LinkBook::close(bool checks_fragments) && {
  Findings findings;
  findings.pages = pages_.size();
  findings.links = links_;
  findings.urls = targets_.size();
  for (const auto& [key, target] : targets_) judge(key, target, findings);
  if (checks_fragments) {
    read_quoted_bodies();
    for (const auto& [key, fragment] : fragments_) judge(fragment, findings);
  }
  // The same in whatever order the answers came.
  const auto rank = [](const Finding& one) {
    const Place* const place = one.places.empty() ? nullptr : &one.places.front();
    return std::make_tuple(one.kind, place == nullptr ? std::string_view() : place->page,
                           place == nullptr ? 0 : place->at.line, std::string_view(one.url));
  };
  std::ranges::sort(findings.all,
                    [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  return findings;
}

}  // namespace gossamer::check

#include "check/page_checker.h"

#include <utility>

#include "async/sleep.h"
#include "check/fragment.h"
#include "check/reader.h"

namespace gossamer::check {

void PageChecker::set_up(crawler::Options& options) {
  options.asks_for_leaves = true;
  options.reads_leaves = options_.fragments == FragmentCheck::all;
  options.keeps_bodies = true;
  // nofollow does not matter for checking whether a link works.
  options.obeys_nofollow = false;
  // Checking must not fetch invented URLs.
  options.detects_soft_404 = false;
  // Only documents that can contain links are read; for others it is enough that they exist.
  options.content_types = {
      "text/html",           "application/xhtml+xml", "text/css", "application/xml", "text/xml",
      "application/rss+xml", "application/atom+xml"};
  for (const std::string& root : options.roots) {
    const auto url = crawler::parse_root(root);
    if (!url) continue;
    own_hosts_.emplace(url->host());
    roots_.emplace(url->without_fragment());
    // The crawl's spelling, which has no credentials.
    std::string asked_for = std::string(url->protocol()) + "//" + std::string(url->host());
    roots_.insert(asked_for.append(url->request_target()));
  }
  // The crawl does not start with an invalid pattern.
  if (auto include = crawler::UrlPatterns::compile(options.scope.include)) {
    include_ = std::move(*include);
  }
  if (auto exclude = crawler::UrlPatterns::compile(options.scope.exclude)) {
    exclude_ = std::move(*exclude);
  }
  options.hooks.wants_leaf = [this](const url::Url& url) { return wants_leaf(url); };
}

bool PageChecker::is_external(const url::Url& url) const {
  return !own_hosts_.contains(std::string(url.host()));
}

bool PageChecker::wants_leaf(const url::Url& url) {
  if (!is_external(url)) return true;
  if (!options_.checks_external) {
    book_.answer(url, answer_of({.url = url.href(), .reason = crawler::SkipReason::out_of_scope}));
    return false;
  }
  const bool needs_body = options_.fragments == FragmentCheck::all && names_content(url);
  if (needs_body || !cache_.knows_end_of(url.without_fragment())) return true;
  if (book_.is_open(url)) take_from_cache(url.without_fragment());
  return false;
}

void PageChecker::take_from_cache(std::string_view first) {
  ++from_cache_;
  std::string url(first);
  for (const AnswerCache::Entry* entry = cache_.find(url); entry != nullptr;) {
    const auto parsed = url::Url::parse(url);
    if (!parsed) return;
    book_.answer(*parsed, answer_of(record_of(url, *entry), options_.accepted));
    if (entry->next.empty()) return;
    url = entry->next;
    entry = cache_.find(url);
  }
}

async::Task<Result<void>> PageChecker::put(crawler::Page page) {
  const auto url = url::Url::parse(page.record.url);
  if (!url) co_return {};
  const bool is_source = roots_.contains(page.record.url);
  book_.answer(*url, answer_of(page.record, options_.accepted), is_source);
  if (page.record.is_leaf && is_external(*url)) cache_.put(page.record);
  const bool is_whole = page.record.status.value_or(0) / 100 == 2 && !page.body.empty();
  if (is_whole) co_await look_through(page, *url);
  co_return {};
}

async::Task<void> PageChecker::look_through(crawler::Page& page, const url::Url& url) {
  const DocumentType type =
      page.record.mime.empty() ? type_of_file({}, page.body) : type_of_mime(page.record.mime);
  if (type == DocumentType::opaque) co_return;
  // A link that is found later may quote this page, so the book keeps its body, or else its words.
  const bool may_be_quoted =
      type == DocumentType::html && options_.fragments != FragmentCheck::none;
  const bool keeps_body = may_be_quoted && book_.has_room_for(page.body);
  const Words words = may_be_quoted && !keeps_body ? Words::kept : Words::dropped;
  DocumentReading reading(type, page.body, page.record.charset, {}, words);
  while (!reading.read_some()) {
    if (!(co_await async::yield_now())) co_return;
  }
  const ReadDocument read = reading.take();
  // The missing part of a truncated page may contain the id.
  const bool is_whole = page.record.error.empty() && !page.record.is_truncated;
  if (type == DocumentType::html && is_whole) {
    book_.add_ids(url, read.document.ids);
    if (keeps_body) book_.add_body(url, std::move(page.body), page.record.charset);
    if (words == Words::kept) book_.add_words(url, read.document.words);
  }
  if (page.record.is_leaf) co_return;
  has_included_page_ = has_included_page_ || include_.match_any(url.without_fragment());
  LinkUse use;
  use.is_excluded = [this](std::string_view text) { return exclude_.match_any(text); };
  use.checks_mail = options_.checks_mail;
  const FileRules rules;
  DocumentEntering entering({.url = url, .shown = page.record.url}, read, rules, use, book_);
  while (!entering.enter_some()) {
    if (!(co_await async::yield_now())) co_return;
  }
}

void PageChecker::skip(const crawler::SkippedUrl& skipped) {
  switch (skipped.reason) {
    // The book has a better description of these faults.
    case crawler::SkipReason::not_http:
    case crawler::SkipReason::bad_url:
    case crawler::SkipReason::filtered:
    case crawler::SkipReason::links_per_page: return;
    default: break;
  }
  if (const auto url = url::Url::parse(skipped.url)) {
    const bool is_source = roots_.contains(std::string(url->without_fragment()));
    book_.answer(*url, answer_of(skipped), is_source);
  }
}

}  // namespace gossamer::check

#include "report/collector.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "content/metadata.h"
#include "record/outcome.h"

namespace gossamer::report {
namespace {

using Id = LinkGraph::Id;
constexpr Id kNone = LinkGraph::kNone;

// The memory of a row and a text besides their bytes.
constexpr std::size_t kRowBytes = 256;
constexpr std::size_t kTextBytes = 48;

// BOUND: kTextBytesMax, without a partial character at the end.
std::string cut(std::string_view text) {
  if (text.size() <= Collector::kTextBytesMax) return std::string(text);
  std::size_t end = Collector::kTextBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

Duration between(WallTime from, WallTime to) {
  return std::chrono::seconds(to.seconds - from.seconds) +
         std::chrono::nanoseconds(std::int64_t{to.nanoseconds} - from.nanoseconds);
}

PageRow row_of(const crawler::FetchRecord& record) {
  return {.url = record.url,
          .title = cut(record.title),
          .status = record.status,
          .mime = cut(record.mime),
          .bytes = record.bytes,
          .took = record.facts.total,
          .depth = record.depth};
}

template <class Row>
void keep_first(Listing<Row>& listing, std::size_t rows_max) {
  listing.total = listing.rows.size();
  if (listing.rows.size() > rows_max) listing.rows.resize(rows_max);
}

}  // namespace

bool is_broken(const crawler::FetchRecord& record) {
  return crawler::outcome_of(record) == crawler::Outcome::error;
}

// A quarter of the memory is for URLs of duplicates and names of hosts, the rest for the graph.
Collector::Collector(const url::IdentityRules& rules, std::uint64_t salt, WallTime started,
                     std::size_t memory_bytes)
    : started_(started),
      text_bytes_left_(memory_bytes / 4),
      graph_(rules, salt, LinkGraph::bounds_within(memory_bytes / 4 * 3)) {}

bool Collector::take_room(std::size_t bytes) {
  if (bytes > text_bytes_left_) return false;
  text_bytes_left_ -= bytes;
  return true;
}

void Collector::add(const crawler::FetchRecord& record) {
  const bool is_bad = is_broken(record);
  const std::size_t depth = std::min<std::size_t>(record.depth, kDepths - 1);
  if (depths_.size() <= depth) depths_.resize(depth + 1);
  ++depths_[depth];
  over_time_.add(between(started_, record.ts) + record.facts.total, is_bad);
  if (record.status) times_.add(record.facts.total);
  note_host(record);
  const Id id = note_place(record);
  if (is_bad) note_failure(record, id);
  if (!record.duplicate_of.empty()) {
    note_copy(duplicates_, record.duplicate_of, record);
  } else if (!record.similar_to.empty()) {
    note_copy(similar_, record.similar_to, record);
  }
  note_page(record);
  if (!record.metadata) return;
  note_language(record);
  audit_.add(record, id, graph_, [this](std::size_t bytes) { return take_room(bytes); });
}

// "en-GB" and "en_gb" count as "en".
void Collector::note_language(const crawler::FetchRecord& record) {
  const content::Metadata& page = *record.metadata;
  const std::string_view declared =
      std::string_view(page.language).substr(0, page.language.find_first_of("-_"));
  std::string language =
      page.detected_language.empty() ? base::lower_case(declared) : page.detected_language;
  if (language.empty() || language.size() > 8) language = "unknown";
  const auto found = languages_.find(language);
  if (found != languages_.end()) {
    ++found->second;
  } else if (languages_.size() < kLanguages) {
    languages_.emplace(std::move(language), 1);
  }
}

// Adds the page to the graph.
Id Collector::note_place(const crawler::FetchRecord& record) {
  const Id id = graph_.add(record.url);
  if (id == kNone) return id;
  const Id via = graph_.add(record.via);
  // A page that redirects to another spelling of itself has no other target.
  Id next = graph_.add(record.next_url);
  if (next == id) next = kNone;
  LinkGraph::Node& node = graph_[id];
  if (via != id) node.via = via;
  node.next = next;
  node.is_fetched = true;
  node.has_failed = is_broken(record);
  node.status = static_cast<std::uint16_t>(record.status.value_or(0));
  if (next != kNone) graph_[next].is_redirected_to = true;
  return id;
}

void Collector::note_failure(const crawler::FetchRecord& record, Id id) {
  const std::string cause = crawler::cause_of(record);
  CauseRow& row = causes_[cause];
  if (row.count++ == 0) {
    row.cause = cause;
    if (record.error.empty()) row.status = record.status;
    row.example = record.url;
    row.detail = cut(record.error_detail);
  }
  if (++broken_total_ > kBrokenListed) return;
  broken_.push_back({.id = id,
                     .row = {.url = record.url,
                             .status = record.status,
                             .error = std::string(record.error),
                             .detail = cut(record.error_detail),
                             .tries = record.tries,
                             .depth = record.depth,
                             .via = record.via}});
}

void Collector::note_host(const crawler::FetchRecord& record) {
  HostRow* row = &other_hosts_;
  if (scratch_.assign(record.url) == url::UrlFailure::none) {
    const std::string host(scratch_.host());
    const auto found = hosts_.find(host);
    if (found != hosts_.end()) {
      row = &found->second;
    } else if (hosts_.size() < kHostsKept && take_room(2 * host.size() + kRowBytes)) {
      row = &hosts_.try_emplace(host, HostRow{.host = host}).first->second;
    }
  }
  ++row->pages;
  row->failed += is_broken(record) ? 1 : 0;
  row->bytes += record.bytes;
  if (!record.status) return;
  row->took += record.facts.total;
  ++row->answered;
}

void Collector::note_copy(Copies& copies, const std::string& first,
                          const crawler::FetchRecord& record) {
  auto found = copies.groups.find(first);
  if (found == copies.groups.end()) {
    const std::size_t bytes = 2 * first.size() + kRowBytes;
    if (copies.groups.size() >= kDuplicatesKept || !take_room(bytes)) {
      ++copies.left_out;
      return;
    }
    found = copies.groups.try_emplace(first).first;
    found->second.url = first;
    found->second.bytes = record.bytes;
  }
  DuplicateRow& row = found->second;
  if (row.copies++ < kCopiesListed && take_room(record.url.size() + kTextBytes)) {
    row.examples.push_back(record.url);
  }
}

void Collector::note_page(const crawler::FetchRecord& record) {
  if (!record.status) return;
  const auto offer = [&record](TopList<PageRow>& list, std::uint64_t key) {
    if (list.wants(key)) {
      list.add(key, row_of(record));
    } else {
      list.count();
    }
  };
  offer(slowest_, static_cast<std::uint64_t>(record.facts.total.count()));
  offer(largest_, record.bytes);
  const bool is_page = !record.is_requisite && *record.status >= 200 && *record.status < 300;
  if (is_page) offer(deepest_, record.depth);
}

void Collector::skip(const crawler::SkippedUrl& skipped) {
  Skipped& of_reason = skipped_[static_cast<std::size_t>(skipped.reason)];
  if (of_reason.count++ >= kExamples) return;
  of_reason.examples.push_back(
      {.url = cut(skipped.url), .via = std::string(skipped.via), .detail = cut(skipped.detail)});
}

void Collector::see_link(const crawler::FoundLink& link) {
  if (!link.is_followed) return;
  if (link.page.href() != page_url_) {
    page_url_ = link.page.href();
    page_ = graph_.add(link.page);
  }
  const Id target = graph_.add(link.url, link.fingerprint);
  if (target == kNone) return;
  if (link.is_listed) {
    graph_[target].is_listed = true;
  } else {
    graph_.link(page_, target);
  }
}

std::vector<std::string> Collector::referrers_of(Id id) const {
  std::vector<std::string> urls;
  if (id == kNone) return urls;
  for (const Id referrer : graph_[id].referrers) {
    if (referrer != kNone) urls.emplace_back(graph_.url(referrer));
  }
  return urls;
}

// The record of a redirect loop is that of its last page, which mostly nobody links to. Returns the
// page of the loop, or of the redirects that lead into it, that most pages link to.
Id Collector::most_linked_of_loop(Id last, const LoopStarts& starts) const {
  Id best = last;
  const auto consider = [&](Id id) {
    if (graph_[id].links > graph_[best].links) best = id;
  };
  Id at = last;
  for (std::size_t hops = 0; hops < kChainUrlsListed && at != kNone; ++hops) {
    consider(at);
    if (const auto start = starts.find(at); start != starts.end()) consider(start->second);
    at = graph_[at].next;
    if (at == last) break;
  }
  return best;
}

Collector::LoopStarts Collector::find_loop_starts() const {
  const RedirectWays ways(graph_);
  LoopStarts starts;
  for (const Id id : redirect_starts(graph_)) {
    if (!ways[id].is_circle) continue;
    const auto [found, is_new] = starts.emplace(ways[id].end, id);
    if (!is_new && graph_[id].links > graph_[found->second].links) found->second = id;
  }
  return starts;
}

Listing<BrokenRow> Collector::list_broken() {
  Listing<BrokenRow> listing = {.total = broken_total_};
  const LoopStarts starts = find_loop_starts();
  for (Broken& broken : broken_) {
    if (broken.id != kNone && broken.row.error == crawler::kRedirectLoop) {
      broken.id = most_linked_of_loop(broken.id, starts);
      broken.row.url = graph_.url(broken.id);
    }
    if (broken.id != kNone) broken.row.links = graph_[broken.id].links;
    broken.row.referrers = referrers_of(broken.id);
    listing.rows.push_back(std::move(broken.row));
  }
  sort_largest_first(listing.rows, &BrokenRow::links, &BrokenRow::url);
  return listing;
}

ChainRow Collector::chain_from(Id first, const RedirectWays::Way& way) const {
  ChainRow row = {.status = graph_[way.end].status,
                  .is_circle = way.is_circle,
                  .links = graph_[first].links,
                  .referrers = referrers_of(first)};
  const std::size_t listed = std::min<std::size_t>(way.hops, kChainUrlsListed - 1);
  for (Id at = first; row.urls.size() < listed; at = graph_[at].next) {
    row.urls.emplace_back(graph_.url(at));
  }
  row.urls.emplace_back(graph_.url(way.end));
  row.left_out = way.hops - listed;
  return row;
}

// Chains begin with a page that nothing redirects to. A loop without such a start is listed from
// its first page.
Listing<ChainRow> Collector::list_chains() const {
  const RedirectWays ways(graph_);
  std::vector<Id> firsts = redirect_starts(graph_);
  sort_largest_first(
      firsts, [&ways](Id id) { return ways[id].hops; }, [this](Id id) { return graph_.url(id); });
  Listing<ChainRow> listing = {.total = firsts.size()};
  if (firsts.size() > kChainsListed) firsts.resize(kChainsListed);
  for (const Id first : firsts) listing.rows.push_back(chain_from(first, ways[first]));
  return listing;
}

Listing<DuplicateRow> Collector::list_copies(Copies& copies) {
  Listing<DuplicateRow> listing;
  for (auto& [url, row] : copies.groups) listing.rows.push_back(std::move(row));
  sort_largest_first(listing.rows, &DuplicateRow::copies, &DuplicateRow::url);
  keep_first(listing, kDuplicatesListed);
  return listing;
}

Listing<HostRow> Collector::list_hosts() {
  Listing<HostRow> listing;
  for (auto& [host, row] : hosts_) listing.rows.push_back(std::move(row));
  sort_largest_first(listing.rows, &HostRow::pages, &HostRow::host);
  keep_first(listing, kHostsListed);
  return listing;
}

Listing<PageRow> Collector::list_orphans() const {
  Listing<PageRow> listing;
  for (Id id = 0; id < graph_.size(); ++id) {
    const LinkGraph::Node& node = graph_[id];
    if (!node.is_listed || !node.is_fetched || node.links > 0 || node.is_redirected_to) continue;
    if (node.via == kNone) continue;  // a root is not an orphan
    if (++listing.total > kOrphansListed) continue;
    PageRow row = {.url = std::string(graph_.url(id))};
    if (node.status != 0) row.status = node.status;
    listing.rows.push_back(std::move(row));
  }
  return listing;
}

std::vector<SkippedRow> Collector::list_skipped(const crawler::Statistics& totals) {
  std::vector<SkippedRow> rows;
  for (std::size_t i = 0; i < crawler::kSkipReasons; ++i) {
    if (totals.skipped[i] == 0) continue;
    rows.push_back({.reason = static_cast<crawler::SkipReason>(i),
                    .count = totals.skipped[i],
                    .examples = std::move(skipped_[i].examples)});
  }
  sort_largest_first(rows, &SkippedRow::count, &SkippedRow::reason);
  return rows;
}

std::vector<AuditRow> Collector::list_audit() const {
  std::array<AuditRow, kAuditRules> rows;
  std::array<PageTemplates, kAuditRules> templates;
  for_each_fault([&](const AuditFinding& finding) {
    const auto rule = static_cast<std::size_t>(finding.rule);
    Listing<AuditFinding>& pages = rows[rule].pages;
    if (pages.total++ < kAuditListed) pages.rows.push_back(finding);
    templates[rule].add(finding.url);
    return true;
  });
  std::vector<AuditRow> found;
  for (std::size_t i = 0; i < kAuditRules; ++i) {
    if (rows[i].pages.total == 0) continue;
    rows[i].rule = static_cast<AuditRule>(i);
    rows[i].templates = templates[i].finish();
    found.push_back(std::move(rows[i]));
  }
  sort_largest_first(found, [](const AuditRow& row) { return row.pages.total; }, &AuditRow::rule);
  return found;
}

Report Collector::finish(Occasion occasion, const crawler::Statistics& totals) && {
  Report report;
  report.occasion = std::move(occasion);
  report.totals = totals;
  report.times = times_;
  report.over_time = std::move(over_time_);
  report.depths = std::move(depths_);
  report.hosts = list_hosts();
  report.pages_of_other_hosts = other_hosts_.pages;
  for (auto& [cause, row] : causes_) report.causes.push_back(std::move(row));
  sort_largest_first(report.causes, &CauseRow::count, &CauseRow::cause);
  report.broken = list_broken();
  report.chains = list_chains();
  report.duplicates = list_copies(duplicates_);
  report.copies_of_others = duplicates_.left_out;
  report.similar = list_copies(similar_);
  report.similar_to_others = similar_.left_out;
  report.slowest = std::move(slowest_).finish();
  report.largest = std::move(largest_).finish();
  report.deepest = std::move(deepest_).finish();
  report.orphans = list_orphans();
  report.skipped = list_skipped(totals);
  report.audited = audit_.pages();
  report.unaudited = audit_.left_out();
  report.audit = list_audit();
  for (auto& [language, pages] : languages_) report.languages.push_back({language, pages});
  sort_largest_first(report.languages, &LanguageRow::pages, &LanguageRow::language);
  report.urls_forgotten = graph_.left_out();
  return report;
}

}  // namespace gossamer::report

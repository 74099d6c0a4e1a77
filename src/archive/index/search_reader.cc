#include "index/search_reader.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include "async/monotonic.h"
#include "index/candidate.h"
#include "index/facets.h"
#include "index/query_words.h"
#include "index/rank.h"
#include "index/schema.h"
#include "index/selection.h"
#include "index/snippet.h"
#include "index/spelling.h"
#include "index/stored_text.h"
#include "index/stored_time.h"
#include "index/term_counts.h"

namespace gossamer::index {
namespace {

// BOUND: candidates that are folded.
constexpr std::size_t kCandidatesMax = 2 * kHitsMax;
// The captures that share the text of a page. Those in a range of dates come first.
constexpr std::string_view kTwinsSql =
    " FROM page JOIN source ON source.id = page.source WHERE page.same_as = ?"
    " ORDER BY (page.captured >= ? AND page.captured < ?) DESC, page.captured DESC LIMIT 100";
// A query of so many words is a sentence: also pages that lack some of them may be the best ones.
constexpr std::ptrdiff_t kLongQueryWords = 4;
// The weight of words that a page must have (docs/search.md). Measured with known pages.
constexpr double kShareOfShortQuery = 0.5;
constexpr double kShareOfLongQuery = 0.7;
constexpr Duration kSuggestionTime = 500ms;
// How many instructions of SQLite run between two checks of the time.
constexpr int kInstructionsPerCheck = 20'000;

bool is_long_query(const Query& query) {
  return std::ranges::count_if(query.terms, is_plain_word) >= kLongQueryWords;
}

}  // namespace

class SearchReader::Implementation {
 public:
  Implementation(std::string path, std::unique_ptr<IndexDatabase> index)
      : path_(std::move(path)), index_(std::move(index)) {
    sqlite3_progress_handler(database().get(), kInstructionsPerCheck, is_over, this);
  }

  // Runs `function` in one transaction, within a time.
  template <class Function>
  auto run(Duration time_max, Function function) -> decltype(function()) {
    is_interrupted_ = false;
    is_late_ = false;
    deadline_ = base::add_saturating(async::monotonic_now(), time_max);
    end_transaction();
    if (auto begun = database().execute("BEGIN"); !begun) return fail(std::move(begun).error());
    auto result = function();
    deadline_ = base::kNever;
    is_interrupted_ = false;
    end_transaction();
    if (!result && result.error() == Errc::cancelled && is_late_) {
      return fail(Errc::timed_out,
                  "the search took longer than " + base::to_string(time_max) + "; use rarer words");
    }
    if (!result && result.error() == Errc::malformed) {
      return fail(Errc::malformed,
                  path_ + " is damaged; build it again: `gossamer index --rebuild`");
    }
    return result;
  }

  Result<SearchResults> search(const Query& query, const SearchOptions& options);
  Result<std::vector<Capture>> captures(std::string_view url);
  Result<std::string> text(std::int64_t id);
  Result<IndexSummary> summary();
  void interrupt() noexcept {
    is_interrupted_ = true;
    sqlite3_interrupt(database().get());
  }

 private:
  using Work = SearchWork;

  store::Database& database() { return index_->database(); }
  // An interrupt of another thread may hit any statement, even this one.
  void end_transaction() {
    if (database().is_in_transaction()) static_cast<void>(database().execute("ROLLBACK"));
  }
  static int is_over(void* self) {
    auto& reader = *static_cast<Implementation*>(self);
    if (async::monotonic_now() >= reader.deadline_) reader.is_late_ = true;
    return reader.is_late_ || reader.is_interrupted_ ? 1 : 0;
  }

  // For work outside of SQLite. Fails with Errc::cancelled.
  Result<void> check_time() {
    if (is_over(this) != 0) return fail(Errc::cancelled);
    return {};
  }

  // The pages that have most words, if there can be some.
  std::optional<Work> widened(const Work& work, const std::set<std::size_t>& ignored,
                              const std::vector<double>& pages_with, std::uint64_t complete);
  Work work_for(const Query& query, const SearchOptions& options,
                const std::set<std::size_t>& ignored, const std::vector<double>& pages_with);
  Result<std::uint64_t> count(const Work& work);
  // The first candidates, and the number of all pages that were found.
  Result<std::vector<Candidate>> ranked_candidates(const Work& work, std::size_t most,
                                                   std::uint64_t& total);
  Result<std::vector<Candidate>> ordered_candidates(const Work& work, std::size_t most,
                                                    std::uint64_t& total);
  Result<Folding> fold(const Work& work, std::uint64_t& total);
  Result<std::optional<Folding>> fold_complete(const Work& work, std::uint64_t& complete);
  Result<std::vector<Hit>> hits(const Work& work, std::vector<Folding::Kept>& kept);
  Result<void> show(Hit& hit, const Work& work, bool counts_text);
  static Result<void> add_twins(Hit& hit, const Work& work, store::Statement& twins);
  Result<std::string> suggestion(const Query& query, const SearchOptions& options);

  std::string path_;
  std::unique_ptr<IndexDatabase> index_;
  PageLengths lengths_;
  Instant deadline_ = base::kNever;
  bool is_late_ = false;
  std::atomic<bool> is_interrupted_ = false;
};

std::optional<SearchWork> SearchReader::Implementation::widened(
    const Work& work, const std::set<std::size_t>& ignored, const std::vector<double>& pages_with,
    std::uint64_t complete) {
  const bool has_few = complete < kFewPages;
  const bool is_long = is_long_query(work.query);
  if (!work.options.finds_partial || (!has_few && !is_long)) return std::nullopt;
  const TokenizerSettings& tokenizer = index_->tokenizer();
  auto partial = partial_match(work.query, tokenizer.query_stemmers(), ignored, pages_with,
                               static_cast<double>(lengths_.pages()),
                               is_long ? kShareOfLongQuery : kShareOfShortQuery);
  if (!partial) return std::nullopt;
  partial->is_below = has_few;
  Work wider = work;
  wider.match.wanted = std::move(partial->wanted);
  wider.terms = partial->enough.terms;
  if (!wider.match.excluded.empty()) wider.match.wanted = wider.match.whole();
  wider.partial = std::move(*partial);
  return wider;
}

Result<std::uint64_t> SearchReader::Implementation::count(const Work& work) {
  auto statement = database().prepare("SELECT count(*) " + work.plain_selection());
  if (!statement) return fail(std::move(statement).error());
  work.bind(*statement);
  auto row = statement->step();
  if (!row) return fail(std::move(row).error());
  return static_cast<std::uint64_t>(statement->number_at(0));
}

Result<std::vector<Candidate>> SearchReader::Implementation::ranked_candidates(
    const Work& work, std::size_t most, std::uint64_t& total) {
  BestPages best(work.terms, lengths_, most, work.partial && work.partial->is_below,
                 work.partial ? work.partial->enough.rarity_min : 0);
  const std::string_view id = work.is_plain() ? "fts.rowid" : "page.id";
  std::string sql = "SELECT best_rank(fts, ?, ";
  sql.append(id).append(") ").append(work.ranked_selection());
  auto visit = database().prepare(sql);
  if (!visit) return fail(std::move(visit).error());
  bind_best(*visit, best);
  work.bind_ranked(*visit);
  for (total = 0;;) {
    auto row = visit->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) break;
    total += static_cast<std::uint64_t>(visit->number_at(0));
  }
  auto read = database().prepare("SELECT " + std::string(kPageColumns) +
                                 " FROM page CROSS JOIN source ON source.id = page.source"
                                 " WHERE page.id = ?");
  if (!read) return fail(std::move(read).error());
  std::vector<Candidate> found;
  for (const BestPages::Page& page : best.take()) {
    auto row = read->number(page.id).step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return fail(Errc::malformed, "the index has words of an unknown page");
    found.push_back(read_candidate(*read));
    found.back().bm25 = page.score;
    found.back().found = page.found;
    read->reset();
  }
  return found;
}

Result<std::vector<Candidate>> SearchReader::Implementation::ordered_candidates(
    const Work& work, std::size_t most, std::uint64_t& total) {
  auto counted = count(work);
  if (!counted) return fail(std::move(counted).error());
  total = *counted;
  // The columns are read after the order is known.
  const TermSet all = all_terms(work.terms.size());
  std::string sql = "SELECT ";
  sql.append(kPageColumns).append(", best.found FROM (SELECT page.id AS id, ");
  sql += work.partial ? "enough_terms(fts, ?)" : std::to_string(all);
  sql.append(" AS found ").append(work.selection()).append(" ORDER BY ");
  if (work.partial) sql.append("found <> ").append(std::to_string(all)).append(", ");
  sql += order_sql(work.query, work.options);
  sql +=
      " LIMIT ?) AS best CROSS JOIN page ON page.id = best.id"
      " CROSS JOIN source ON source.id = page.source";
  auto statement = database().prepare(sql);
  if (!statement) return fail(std::move(statement).error());
  if (work.partial) bind_enough(*statement, work.partial->enough);
  work.bind(*statement);
  statement->number(static_cast<std::int64_t>(most));
  std::vector<Candidate> found;
  while (true) {
    auto row = statement->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return found;
    found.push_back(read_candidate(*statement));
    found.back().found = static_cast<TermSet>(statement->number_at(kPageColumnCount));
  }
}

// Duplicates take places of others, so more candidates are read until there are enough.
Result<Folding> SearchReader::Implementation::fold(const Work& work, std::uint64_t& total) {
  const std::size_t shown = std::max(work.options.offset + work.options.limit, work.texts_ranked());
  for (std::size_t most = std::max(kRankedMax, 2 * shown);; most *= 4) {
    most = std::min(most, kCandidatesMax);
    auto found = work.is_ranked() ? ranked_candidates(work, most, total)
                                  : ordered_candidates(work, most, total);
    if (!found) return fail(std::move(found).error());
    const bool is_last = found->size() < most || most == kCandidatesMax;
    order_candidates(*found, work);
    Folding folding(work.options.folds_duplicates);
    for (Candidate& one : *found) {
      if (auto in_time = check_time(); !in_time) return fail(std::move(in_time).error());
      folding.add(std::move(one), folding.kept().size() < shown);
    }
    if (is_last || folding.kept().size() >= shown) return folding;
  }
}

// A sentence is searched again for pages that lack some words, so its pages are only counted.
Result<std::optional<Folding>> SearchReader::Implementation::fold_complete(
    const Work& work, std::uint64_t& complete) {
  if (work.options.finds_partial && is_long_query(work.query)) {
    auto counted = count(work);
    if (!counted) return fail(std::move(counted).error());
    complete = *counted;
    return std::nullopt;
  }
  auto folding = fold(work, complete);
  if (!folding) return fail(std::move(folding).error());
  return std::move(*folding);
}

Result<std::vector<Hit>> SearchReader::Implementation::hits(const Work& work,
                                                            std::vector<Folding::Kept>& kept) {
  auto twins = database().prepare("SELECT " + std::string(kPageColumns) + std::string(kTwinsSql));
  if (!twins) return fail(std::move(twins).error());
  std::vector<Hit> hits;
  const std::size_t begin = work.texts_ranked() > 0 ? 0 : work.options.offset;
  for (std::size_t at = begin; at < kept.size(); ++at) {
    Candidate& one = kept[at].best;
    Hit hit = {.page = std::move(one.page), .score = one.score};
    hit.duplicates = std::move(kept[at].duplicates);
    hit.missing_words = work.missing(one.found);
    if (work.options.explains) hit.score_parts = std::move(one.parts);
    auto shown = show(hit, work, at < work.texts_ranked());
    if (!shown) return fail(std::move(shown).error());
    hits.push_back(std::move(hit));
  }
  order_hits(hits, work);
  const std::size_t skipped = std::min(work.options.offset - begin, hits.size());
  hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(skipped));
  hits.resize(std::min(hits.size(), work.options.limit));
  for (std::size_t at = 0; work.options.folds_duplicates && at < hits.size(); ++at) {
    auto added = add_twins(hits[at], work, *twins);
    if (!added) return fail(std::move(added).error());
  }
  return hits;
}

Result<void> SearchReader::Implementation::show(Hit& hit, const Work& work, bool counts_text) {
  auto whole = read_stored_text(*index_, hit.page.id);
  if (!whole) return fail(std::move(whole).error());
  const QueryWords::Matcher matcher = work.words.matcher(hit.page.language);
  hit.title = mark_all(hit.page.title, work.words, matcher);
  BestSection best = find_best_section(whole->text, whole->main_bytes, whole->sections, work.words,
                                       matcher, work.options.snippet_bytes);
  hit.snippet = std::move(best.snippet);
  if (counts_text) add_text_score(hit, best, work);
  if (best.section != nullptr) {
    hit.anchor = best.section->anchor;
    hit.heading = heading_of(*best.section, whole->text);
  }
  return check_time();
}

// Adds the captures that share the text of this one. The newest one that the dates of the query
// include is shown.
Result<void> SearchReader::Implementation::add_twins(Hit& hit, const Work& work,
                                                     store::Statement& twins) {
  const TimeRange range(work.query);
  const bool is_newest_shown = work.options.sort != SearchSort::oldest;
  twins.reset();
  twins.number(hit.page.id).number(range.first).number(range.end);
  while (true) {
    auto row = twins.step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return {};
    hit.duplicates.push_back(read_candidate(twins).page);
    Capture& twin = hit.duplicates.back();
    const bool is_newer = is_newest_shown && hit.page.captured < twin.captured;
    if (range.has(twin.captured) && (is_newer || !range.has(hit.page.captured))) {
      std::swap(hit.page, twin);
    }
  }
}

SearchWork SearchReader::Implementation::work_for(const Query& query, const SearchOptions& options,
                                                  const std::set<std::size_t>& ignored,
                                                  const std::vector<double>& pages_with) {
  TokenizerSettings& tokenizer = index_->tokenizer();
  Work work = {query,
               options,
               match_text(query, tokenizer.query_stemmers(), ignored),
               {},
               PageFilter(query, options.folds_duplicates),
               QueryWords(query, tokenizer.stemmers())};
  const auto pages = static_cast<double>(lengths_.pages());
  for (const MatchText::Term& term : work.match.terms) {
    work.terms.push_back({term.phrases, rarity_of(pages_with[term.place], pages)});
  }
  if (work.has_words()) work.match.wanted = work.match.whole();
  return work;
}

Result<SearchResults> SearchReader::Implementation::search(const Query& query,
                                                           const SearchOptions& options) {
  if (auto chosen = choose_languages(query, *index_); !chosen) {
    return fail(std::move(chosen).error());
  }
  if (auto read = lengths_.update(database()); !read) return fail(std::move(read).error());
  auto pages_with = pages_with_terms(query, *index_);
  if (!pages_with) return fail(std::move(pages_with).error());
  const std::set<std::size_t> ignored = ignored_terms(query, *pages_with, lengths_.pages());
  SearchResults results;
  for (const std::size_t at : ignored) results.ignored_words.push_back(query.terms[at].text);
  const Work work = work_for(query, options, ignored, *pages_with);
  auto folding = fold_complete(work, results.complete);
  if (!folding) return fail(std::move(folding).error());
  results.total = results.complete;
  const auto wider = widened(work, ignored, *pages_with, results.complete);
  const Work& shown = wider ? *wider : work;
  if (wider || !*folding) {
    auto folded = fold(shown, results.total);
    if (!folded) return fail(std::move(folded).error());
    *folding = std::move(*folded);
  }
  results.are_complete_first = !wider || wider->partial->is_below;
  auto found = hits(shown, (*folding)->kept());
  if (!found) return fail(std::move(found).error());
  results.hits = std::move(*found);
  if (options.has_facets) {
    auto counted = count_facets(database(), shown);
    if (!counted) return fail(std::move(counted).error());
    results.facets = std::move(*counted);
  }
  if (results.complete == 0 && options.has_suggestion) {
    auto suggested = suggestion(query, options);
    if (!suggested) return fail(std::move(suggested).error());
    results.suggestion = std::move(*suggested);
  }
  return results;
}

// The result is known by now: a suggestion that takes long is left out.
Result<std::string> SearchReader::Implementation::suggestion(const Query& query,
                                                             const SearchOptions& options) {
  const Instant end = base::add_saturating(async::monotonic_now(), kSuggestionTime);
  deadline_ = std::min(deadline_, end);
  const auto finds = [this, &options](const Query& better) -> Result<bool> {
    const Work work = work_for(better, options, {}, std::vector<double>(better.terms.size()));
    auto statement = database().prepare("SELECT 1 " + work.plain_selection() + " LIMIT 1");
    if (!statement) return fail(std::move(statement).error());
    work.bind(*statement);
    return statement->step();
  };
  auto suggested = corrected(query, *index_, finds);
  if (!suggested && suggested.error() == Errc::cancelled && !is_interrupted_) return std::string();
  return suggested;
}

Result<std::vector<Capture>> SearchReader::Implementation::captures(std::string_view url) {
  auto statement = database().prepare(
      "SELECT " + std::string(kPageColumns) +
      " FROM page JOIN source ON source.id = page.source WHERE page.url = ? ORDER BY captured");
  if (!statement) return fail(std::move(statement).error());
  statement->text(url);
  std::vector<Capture> found;
  while (true) {
    auto row = statement->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return found;
    found.push_back(read_candidate(*statement).page);
  }
}

Result<std::string> SearchReader::Implementation::text(std::int64_t id) {
  auto stored = read_stored_text(*index_, id);
  if (!stored) return fail(std::move(stored).error());
  return std::move(stored->text);
}

Result<IndexSummary> SearchReader::Implementation::summary() {
  IndexSummary summary;
  auto statement = database().prepare(
      "SELECT (SELECT total(pages) FROM language), (SELECT min(captured) FROM page),"
      " (SELECT max(captured) FROM page)");
  if (!statement) return fail(std::move(statement).error());
  auto row = statement->step();
  if (!row) return fail(std::move(row).error());
  summary.pages = static_cast<std::uint64_t>(statement->number_at(0));
  summary.first_captured = from_stored_time(statement->number_at(1));
  summary.last_captured = from_stored_time(statement->number_at(2));
  struct stat found = {};
  if (stat(path_.c_str(), &found) == 0) summary.bytes = static_cast<std::uint64_t>(found.st_size);
  return summary;
}

SearchReader::SearchReader(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
SearchReader::~SearchReader() = default;
SearchReader::SearchReader(SearchReader&&) noexcept = default;

Result<SearchReader> SearchReader::open(const std::string& path) {
  auto index = IndexDatabase::open_to_read(path);
  if (!index) return fail(std::move(index).error());
  return SearchReader(std::make_unique<Implementation>(path, std::move(*index)));
}

Result<SearchResults> SearchReader::search(const Query& query, const SearchOptions& options) {
  if (options.limit > kHitsMax || options.offset > kHitsMax - options.limit) {
    return fail(Errc::invalid_argument,
                "a search shows at most " + std::to_string(kHitsMax) + " results");
  }
  return implementation_->run(options.time_max,
                              [&] { return implementation_->search(query, options); });
}

Result<std::vector<Capture>> SearchReader::captures(std::string_view url) {
  return implementation_->run(SearchOptions().time_max,
                              [&] { return implementation_->captures(url); });
}

Result<std::string> SearchReader::text(std::int64_t id) {
  return implementation_->run(SearchOptions().time_max, [&] { return implementation_->text(id); });
}

Result<IndexSummary> SearchReader::summary() {
  return implementation_->run(SearchOptions().time_max, [&] { return implementation_->summary(); });
}

void SearchReader::interrupt() noexcept { implementation_->interrupt(); }

}  // namespace gossamer::index

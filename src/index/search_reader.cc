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
#include "index/stored_time.h"

namespace gossamer::index {
namespace {

// BOUND: the best candidates of BM25, which are ordered again.
constexpr std::size_t kRankedMax = 200;
// BOUND: candidates that are folded.
constexpr std::size_t kCandidatesMax = 2 * kHitsMax;
// A word in a larger share of the pages selects nothing. In a small index it costs nothing.
constexpr double kIgnoredShare = 0.5;
constexpr std::uint64_t kIgnoringPagesMin = 1000;
// BOUND: languages whose stems a query looks for.
constexpr std::string_view kLanguagesSql =
    "SELECT code FROM language WHERE code <> '' ORDER BY pages DESC LIMIT 8";
// The captures that share the text of a page. Those in a range of dates come first.
constexpr std::string_view kTwinsSql =
    " FROM page JOIN source ON source.id = page.source WHERE page.same_as = ?"
    " ORDER BY (page.captured >= ? AND page.captured < ?) DESC, page.captured DESC LIMIT 100";
constexpr Duration kSuggestionTime = 500ms;
// How many instructions of SQLite run between two checks of the time.
constexpr int kInstructionsPerCheck = 20'000;

bool can_be_ignored(const QueryTerm& term) {
  return !term.is_excluded && term.kind == QueryTerm::Kind::word && term.field == Field::anywhere;
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

  Result<void> choose_languages(const Query& query);
  // How many pages have each term. If there is only one, that need not be known.
  Result<std::vector<double>> pages_with_terms(const Query& query, bool is_ranked);
  std::set<std::size_t> ignored_terms(const Query& query, const std::vector<double>& pages_with);
  Result<std::uint64_t> count(const Work& work);
  // The first candidates, and the number of all pages that were found.
  Result<std::vector<Candidate>> ranked_candidates(const Work& work, std::size_t most,
                                                   std::uint64_t& total);
  Result<std::vector<Candidate>> ordered_candidates(const Work& work, std::size_t most,
                                                    std::uint64_t& total);
  static void rank(std::vector<Candidate>& candidates, const Work& work);
  Result<Folding> fold(const Work& work, std::uint64_t& total);
  Result<std::vector<Hit>> hits(const Work& work, std::uint64_t& total);
  Result<void> show(Hit& hit, const Work& work);
  static Result<void> add_twins(Hit& hit, const Work& work, store::Statement& twins);
  Result<std::string> suggestion(const Query& query);
  // The first column of the first row. With `match`, that is its parameter.
  Result<std::int64_t> number_of(std::string_view sql, std::string_view match = {});

  std::string path_;
  std::unique_ptr<IndexDatabase> index_;
  PageLengths lengths_;
  Instant deadline_ = base::kNever;
  bool is_late_ = false;
  std::atomic<bool> is_interrupted_ = false;
};

Result<std::int64_t> SearchReader::Implementation::number_of(std::string_view sql,
                                                             std::string_view match) {
  auto statement = database().prepare(sql);
  if (!statement) return fail(std::move(statement).error());
  if (!match.empty()) statement->text(match);
  auto row = statement->step();
  if (!row) return fail(std::move(row).error());
  return *row ? statement->number_at(0) : 0;
}

Result<void> SearchReader::Implementation::choose_languages(const Query& query) {
  std::vector<std::string> languages = query.languages.wanted;
  if (languages.empty()) {
    auto statement = database().prepare(kLanguagesSql);
    if (!statement) return fail(std::move(statement).error());
    while (true) {
      auto row = statement->step();
      if (!row) return fail(std::move(row).error());
      if (!*row) break;
      languages.emplace_back(statement->text_at(0));
    }
  }
  index_->tokenizer().set_query_languages(languages);
  return {};
}

// Only ranking needs the counts of all terms: without it, they only show which words to ignore.
Result<std::vector<double>> SearchReader::Implementation::pages_with_terms(const Query& query,
                                                                           bool is_ranked) {
  std::vector<double> pages(query.terms.size());
  const auto wanted = std::ranges::count(query.terms, false, &QueryTerm::is_excluded);
  if (wanted < 2 || (!is_ranked && lengths_.pages() < kIgnoringPagesMin)) return pages;
  for (std::size_t at = 0; at < query.terms.size(); ++at) {
    const QueryTerm& term = query.terms[at];
    if (term.is_excluded || (!is_ranked && !can_be_ignored(term))) continue;
    const MatchTerm match = match_term(term, index_->tokenizer().query_stemmers());
    if (match.text.empty()) continue;
    // A limit would cost more than it saves: without one, FTS5 only reads the list of pages.
    auto found = number_of("SELECT count(*) FROM fts WHERE fts MATCH ?", match.text);
    if (!found) return fail(std::move(found).error());
    pages[at] = static_cast<double>(*found);
  }
  return pages;
}

std::set<std::size_t> SearchReader::Implementation::ignored_terms(
    const Query& query, const std::vector<double>& pages_with) {
  std::set<std::size_t> ignored;
  if (lengths_.pages() < kIgnoringPagesMin) return ignored;
  const double most = kIgnoredShare * static_cast<double>(lengths_.pages());
  std::size_t wanted = 0;
  for (std::size_t at = 0; at < query.terms.size(); ++at) {
    const QueryTerm& term = query.terms[at];
    wanted += term.is_excluded ? 0 : 1;
    if (can_be_ignored(term) && pages_with[at] > most) ignored.insert(at);
  }
  if (ignored.size() == wanted) ignored.clear();
  return ignored;
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
  BestPages best(work.terms, lengths_, most);
  const std::string_view id = work.is_plain() ? "fts.rowid" : "page.id";
  std::string sql = "SELECT best_rank(fts, ?, ";
  sql.append(id).append(") ").append(work.plain_selection());
  auto visit = database().prepare(sql);
  if (!visit) return fail(std::move(visit).error());
  bind_best(*visit, best);
  work.bind(*visit);
  for (total = 0;; ++total) {
    auto row = visit->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) break;
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
  std::string sql = "SELECT ";
  sql += kPageColumns;
  sql += " FROM (SELECT page.id AS id " + work.selection();
  sql += " ORDER BY " + order_sql(work.query, work.options);
  sql +=
      " LIMIT ?) AS best CROSS JOIN page ON page.id = best.id"
      " CROSS JOIN source ON source.id = page.source";
  auto statement = database().prepare(sql);
  if (!statement) return fail(std::move(statement).error());
  work.bind(*statement);
  statement->number(static_cast<std::int64_t>(most));
  std::vector<Candidate> found;
  while (true) {
    auto row = statement->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return found;
    found.push_back(read_candidate(*statement));
  }
}

void SearchReader::Implementation::rank(std::vector<Candidate>& candidates, const Work& work) {
  if (candidates.empty() || work.words.words().empty()) return;
  double best = 0;
  for (const Candidate& one : candidates) best = std::max(best, one.bm25);
  for (Candidate& one : candidates) {
    const RankedPage page = {
        .words = best > 0 ? one.bm25 / best : 0, .title = one.page.title, .url = one.page.url};
    one.parts = score_parts(page, work.words, work.words.matcher(one.page.language));
    one.score = sum_of(one.parts);
  }
  if (work.options.sort != SearchSort::relevance) return;
  // The first ones are ordered by themselves, so that later pages of results do not change them.
  const auto end =
      candidates.begin() + static_cast<std::ptrdiff_t>(std::min(kRankedMax, candidates.size()));
  std::ranges::sort(candidates.begin(), end, [](const Candidate& a, const Candidate& b) {
    return std::pair(-a.score, a.page.id) < std::pair(-b.score, b.page.id);
  });
}

// Duplicates take places of others, so more candidates are read until there are enough.
Result<Folding> SearchReader::Implementation::fold(const Work& work, std::uint64_t& total) {
  const std::size_t shown = work.options.offset + work.options.limit;
  for (std::size_t most = std::max(kRankedMax, 2 * shown);; most *= 4) {
    most = std::min(most, kCandidatesMax);
    auto found = work.is_ranked() ? ranked_candidates(work, most, total)
                                  : ordered_candidates(work, most, total);
    if (!found) return fail(std::move(found).error());
    const bool is_last = found->size() < most || most == kCandidatesMax;
    rank(*found, work);
    Folding folding(work.options.folds_duplicates);
    for (Candidate& one : *found) {
      if (auto in_time = check_time(); !in_time) return fail(std::move(in_time).error());
      folding.add(std::move(one), folding.kept().size() < shown);
    }
    if (is_last || folding.kept().size() >= shown) return folding;
  }
}

Result<std::vector<Hit>> SearchReader::Implementation::hits(const Work& work,
                                                            std::uint64_t& total) {
  auto folding = fold(work, total);
  if (!folding) return fail(std::move(folding).error());
  auto twins = database().prepare("SELECT " + std::string(kPageColumns) + std::string(kTwinsSql));
  if (!twins) return fail(std::move(twins).error());
  std::vector<Folding::Kept>& kept = folding->kept();
  std::vector<Hit> hits;
  for (std::size_t at = work.options.offset; at < kept.size(); ++at) {
    Candidate& one = kept[at].best;
    Hit hit = {.page = std::move(one.page), .score = one.score};
    hit.duplicates = std::move(kept[at].duplicates);
    if (work.options.explains) hit.score_parts = std::move(one.parts);
    if (auto shown = show(hit, work); !shown) return fail(std::move(shown).error());
    if (work.options.folds_duplicates) {
      auto added = add_twins(hit, work, *twins);
      if (!added) return fail(std::move(added).error());
    }
    hits.push_back(std::move(hit));
  }
  return hits;
}

Result<void> SearchReader::Implementation::show(Hit& hit, const Work& work) {
  auto whole = text(hit.page.id);
  if (!whole) return fail(std::move(whole).error());
  const QueryWords::Matcher matcher = work.words.matcher(hit.page.language);
  hit.title = mark_all(hit.page.title, work.words, matcher);
  hit.snippet = make_snippet(*whole, work.words, matcher, work.options.snippet_bytes);
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

Result<SearchResults> SearchReader::Implementation::search(const Query& query,
                                                           const SearchOptions& options) {
  if (auto chosen = choose_languages(query); !chosen) return fail(std::move(chosen).error());
  if (auto read = lengths_.update(database()); !read) return fail(std::move(read).error());
  auto pages_with = pages_with_terms(query, options.sort == SearchSort::relevance);
  if (!pages_with) return fail(std::move(pages_with).error());
  const std::set<std::size_t> ignored = ignored_terms(query, *pages_with);
  const TokenizerSettings& tokenizer = index_->tokenizer();
  Work work = {query,
               options,
               match_text(query, tokenizer.query_stemmers(), ignored),
               {},
               PageFilter(query, options.folds_duplicates),
               QueryWords(query, index_->tokenizer().stemmers())};
  for (const MatchText::Term& term : work.match.terms) {
    const auto pages = static_cast<double>(lengths_.pages());
    work.terms.push_back({term.phrases, rarity_of((*pages_with)[term.place], pages)});
  }
  if (work.has_words()) work.match.wanted = work.match.whole();
  SearchResults results;
  for (const std::size_t at : ignored) results.ignored_words.push_back(query.terms[at].text);
  auto found = hits(work, results.total);
  if (!found) return fail(std::move(found).error());
  results.hits = std::move(*found);
  if (options.has_facets) {
    auto counted = count_facets(database(), work);
    if (!counted) return fail(std::move(counted).error());
    results.facets = std::move(*counted);
  }
  if (results.total == 0 && options.has_suggestion) {
    auto suggested = suggestion(query);
    if (!suggested) return fail(std::move(suggested).error());
    results.suggestion = std::move(*suggested);
  }
  return results;
}

// The result is known by now: a suggestion that takes long is left out.
Result<std::string> SearchReader::Implementation::suggestion(const Query& query) {
  const Instant end = base::add_saturating(async::monotonic_now(), kSuggestionTime);
  deadline_ = std::min(deadline_, end);
  auto suggested = corrected(query, *index_);
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
  auto statement = database().prepare(
      "SELECT content.text FROM page JOIN content ON content.id = coalesce(page.same_as, page.id)"
      " WHERE page.id = ?");
  if (!statement) return fail(std::move(statement).error());
  auto row = statement->number(id).step();
  if (!row) return fail(std::move(row).error());
  if (!*row) return fail(Errc::not_found, "the index has no such page");
  return index_->unpacker().unpack(statement->blob_at(0));
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

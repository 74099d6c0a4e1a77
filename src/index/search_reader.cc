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
#include "index/match.h"
#include "index/query_words.h"
#include "index/rank.h"
#include "index/schema.h"
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
constexpr std::int64_t kIgnoringPagesMin = 1000;
// BOUND: languages whose stems a query looks for.
constexpr std::string_view kLanguagesSql =
    "SELECT code FROM language WHERE code <> '' ORDER BY pages DESC LIMIT 8";
// The captures that share the text of a page. Those in a range of dates come first.
constexpr std::string_view kTwinsSql =
    " FROM page JOIN source ON source.id = page.source WHERE page.same_as = ?"
    " ORDER BY (page.captured >= ? AND page.captured < ?) DESC, page.captured DESC LIMIT 100";
constexpr std::string_view kPlainSelection = "FROM fts WHERE fts MATCH ?";
constexpr Duration kSuggestionTime = 500ms;
// How many instructions of SQLite run between two checks of the time.
constexpr int kInstructionsPerCheck = 20'000;

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
  // What one search works with.
  struct Work {
    const Query& query;
    const SearchOptions& options;
    MatchText match;
    PageFilter filter;
    QueryWords words;
  };

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
  Result<std::set<std::size_t>> ignored_terms(const Query& query);
  // Whether the words alone select the pages. Then the index has the answer.
  static bool is_plain(const Work& work) {
    return work.options.folds_duplicates && work.filter.empty() && !work.match.wanted.empty();
  }
  // "FROM ... WHERE ..." with its parameters.
  static std::string selection(const Work& work);
  static void bind(store::Statement& statement, const Work& work);
  Result<std::uint64_t> count(const Work& work);
  Result<std::vector<Candidate>> candidates(const Work& work, std::size_t most);
  static void rank(std::vector<Candidate>& candidates, const Work& work);
  Result<Folding> fold(const Work& work);
  Result<std::vector<Hit>> hits(const Work& work);
  Result<void> show(Hit& hit, const Work& work);
  static Result<void> add_twins(Hit& hit, const Work& work, store::Statement& twins);
  Result<std::string> suggestion(const Query& query);
  Result<Facets> facets(const Work& work);
  Result<std::vector<FacetValue>> facet(const Work& work, std::string_view column,
                                        std::string_view order);
  // The first column of the first row. With `match`, that is its parameter.
  Result<std::int64_t> number_of(std::string_view sql, std::string_view match = {});

  std::string path_;
  std::unique_ptr<IndexDatabase> index_;
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

Result<std::set<std::size_t>> SearchReader::Implementation::ignored_terms(const Query& query) {
  std::set<std::size_t> ignored;
  const auto wanted = std::ranges::count(query.terms, false, &QueryTerm::is_excluded);
  if (wanted < 2) return ignored;
  auto pages = number_of("SELECT total(pages) FROM language");
  if (!pages) return fail(std::move(pages).error());
  if (*pages < kIgnoringPagesMin) return ignored;
  const double most = kIgnoredShare * static_cast<double>(*pages);
  for (std::size_t at = 0; at < query.terms.size(); ++at) {
    const QueryTerm& term = query.terms[at];
    if (term.is_excluded || term.kind != QueryTerm::Kind::word || term.field != Field::anywhere) {
      continue;
    }
    // A limit would cost more than it saves: without one, FTS5 only reads the list of pages.
    const std::string match = match_term(term);
    auto found = number_of("SELECT count(*) FROM fts WHERE fts MATCH ?", match);
    if (!found) return fail(std::move(found).error());
    if (static_cast<double>(*found) > most) ignored.insert(at);
  }
  if (std::ssize(ignored) == wanted) ignored.clear();
  return ignored;
}

std::string SearchReader::Implementation::selection(const Work& work) {
  // CROSS JOIN keeps the order of the tables: the words come first.
  std::string sql;
  const bool folds = work.options.folds_duplicates;
  const bool has_words = !work.match.wanted.empty();
  if (has_words) {
    sql = folds ? "FROM fts CROSS JOIN page ON page.id = fts.rowid"
                : "FROM fts CROSS JOIN page ON (page.id = fts.rowid OR page.same_as = fts.rowid)";
    sql += " WHERE fts MATCH ?";
  } else {
    sql = "FROM page WHERE 1";
    if (folds) sql += " AND page.same_as IS NULL";
    if (!work.match.excluded.empty()) {
      sql +=
          " AND coalesce(page.same_as, page.id) NOT IN (SELECT rowid FROM fts WHERE fts MATCH ?)";
    }
  }
  return sql + work.filter.sql();
}

void SearchReader::Implementation::bind(store::Statement& statement, const Work& work) {
  if (!work.match.wanted.empty()) {
    statement.text(work.match.wanted);
  } else if (!work.match.excluded.empty()) {
    statement.text(work.match.excluded);
  }
  work.filter.bind(statement);
}

Result<std::uint64_t> SearchReader::Implementation::count(const Work& work) {
  auto statement = database().prepare(
      "SELECT count(*) " + (is_plain(work) ? std::string(kPlainSelection) : selection(work)));
  if (!statement) return fail(std::move(statement).error());
  bind(*statement, work);
  auto row = statement->step();
  if (!row) return fail(std::move(row).error());
  return static_cast<std::uint64_t>(statement->number_at(0));
}

Result<std::vector<Candidate>> SearchReader::Implementation::candidates(const Work& work,
                                                                        std::size_t most) {
  const bool has_words = !work.match.wanted.empty();
  const bool is_ranked = has_words && work.options.sort == SearchSort::relevance;
  // The columns are read after the order is known.
  std::string sql = "SELECT ";
  sql += kPageColumns;
  sql += ", best.score FROM (SELECT ";
  if (is_ranked) {
    const bool is_alone = is_plain(work);
    sql += is_alone ? "fts.rowid" : "page.id";
    sql += " AS id, best_rank(fts, " + std::to_string(most) + ") AS score ";
    sql += is_alone ? kPlainSelection : selection(work);
  } else {
    sql += "page.id AS id, 0.0 AS score " + selection(work);
  }
  sql += " ORDER BY " + order_sql(work.query, work.options, has_words);
  sql +=
      " LIMIT ?) AS best CROSS JOIN page ON page.id = best.id"
      " CROSS JOIN source ON source.id = page.source";
  auto statement = database().prepare(sql);
  if (!statement) return fail(std::move(statement).error());
  bind(*statement, work);
  statement->number(static_cast<std::int64_t>(most));
  std::vector<Candidate> found;
  while (true) {
    auto row = statement->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return found;
    found.push_back(read_candidate(*statement));
    found.back().bm25 = statement->decimal_at(kPageColumnCount);
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
Result<Folding> SearchReader::Implementation::fold(const Work& work) {
  const std::size_t shown = work.options.offset + work.options.limit;
  for (std::size_t most = std::max(kRankedMax, 2 * shown);; most *= 4) {
    most = std::min(most, kCandidatesMax);
    auto found = candidates(work, most);
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

Result<std::vector<Hit>> SearchReader::Implementation::hits(const Work& work) {
  auto folding = fold(work);
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

Result<std::vector<FacetValue>> SearchReader::Implementation::facet(const Work& work,
                                                                    std::string_view column,
                                                                    std::string_view order) {
  std::string sql = "SELECT ";
  sql.append(column).append(" AS value, count(*) AS pages ").append(selection(work));
  sql.append(" GROUP BY value ORDER BY ").append(order).append(" LIMIT ?");
  auto statement = database().prepare(sql);
  if (!statement) return fail(std::move(statement).error());
  bind(*statement, work);
  statement->number(static_cast<std::int64_t>(work.options.facet_values_max));
  std::vector<FacetValue> values;
  while (true) {
    auto row = statement->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return values;
    values.push_back(
        {std::string(statement->text_at(0)), static_cast<std::uint64_t>(statement->number_at(1))});
  }
}

Result<Facets> SearchReader::Implementation::facets(const Work& work) {
  constexpr std::string_view kMostFirst = "pages DESC, value";
  auto sites = facet(work, "page.site", kMostFirst);
  if (!sites) return fail(std::move(sites).error());
  auto types = facet(work, "page.mime", kMostFirst);
  if (!types) return fail(std::move(types).error());
  const std::string year = "strftime('%Y', " + time_sql(work.query, work.options.folds_duplicates) +
                           " / 1000, 'unixepoch')";
  auto years = facet(work, year, "value DESC");
  if (!years) return fail(std::move(years).error());
  auto languages = facet(work, "page.lang", kMostFirst);
  if (!languages) return fail(std::move(languages).error());
  return Facets{std::move(*sites), std::move(*types), std::move(*years), std::move(*languages)};
}

Result<SearchResults> SearchReader::Implementation::search(const Query& query,
                                                           const SearchOptions& options) {
  if (auto chosen = choose_languages(query); !chosen) return fail(std::move(chosen).error());
  auto ignored = ignored_terms(query);
  if (!ignored) return fail(std::move(ignored).error());
  Work work = {query, options, match_text(query, *ignored),
               PageFilter(query, options.folds_duplicates),
               QueryWords(query, index_->tokenizer().stemmers())};
  if (!work.match.wanted.empty()) work.match.wanted = work.match.whole();
  SearchResults results;
  for (const std::size_t at : *ignored) results.ignored_words.push_back(query.terms[at].text);
  auto total = count(work);
  if (!total) return fail(std::move(total).error());
  results.total = *total;
  auto found = hits(work);
  if (!found) return fail(std::move(found).error());
  results.hits = std::move(*found);
  if (options.has_facets) {
    auto counted = facets(work);
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

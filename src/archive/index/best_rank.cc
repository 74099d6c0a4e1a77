#include "index/best_rank.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

#include "index/fts5.h"

namespace gossamer::index {
namespace {

// Title, URL, main text, and the rest of the page.
constexpr std::array<double, 4> kColumnWeights = {8, 4, 2, 1};
// The constants of bm25().
constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.75;
constexpr double kRarityMin = 1e-6;

constexpr const char* kBestType = "gossamer best pages";
constexpr const char* kEnoughType = "gossamer enough terms";

// The order of the best pages.
struct IsBetter {
  TermSet required;
  bool lacks_some(const BestPages::Page& page) const noexcept {
    return (page.found & required) != required;
  }
  bool operator()(const BestPages::Page& a, const BestPages::Page& b) const noexcept {
    return std::tuple(lacks_some(a), -a.score, a.id) < std::tuple(lacks_some(b), -b.score, b.id);
  }
};

// The places of words in the present page, as FTS5 shows them. Errors of FTS5 are thrown as their
// codes.
class Places {
 public:
  // How often the page has one of these phrases. An important column counts more. Forms of a word
  // may be at the same place, which counts once.
  double frequency(const Fts5ExtensionApi& api, Fts5Context* fts, int first, int end) {
    places_.clear();
    int found = 0;
    for (int phrase = first; phrase < end; ++phrase) {
      const std::size_t before = places_.size();
      Fts5PhraseIter at;
      int column = -1;
      int offset = 0;
      const int code = api.xPhraseFirst(fts, phrase, &at, &column, &offset);
      if (code != SQLITE_OK) throw code;
      for (; column >= 0; api.xPhraseNext(fts, &at, &column, &offset)) {
        places_.push_back(static_cast<std::uint64_t>(column) << 32 |
                          static_cast<std::uint32_t>(offset));
      }
      found += places_.size() > before ? 1 : 0;
    }
    if (found > 1) {
      std::ranges::sort(places_);
      const auto repeated = std::ranges::unique(places_);
      places_.erase(repeated.begin(), repeated.end());
    }
    double frequency = 0;
    for (const std::uint64_t place : places_) frequency += kColumnWeights.at(place >> 32);
    return frequency;
  }

 private:
  std::vector<std::uint64_t> places_;  // BOUND: the words of a page, by the forms of a word
};

// What a statement needs for each page.
struct Ranking {
  Places places;
  std::vector<double> frequencies;
};

Ranking& ranking_of(const Fts5ExtensionApi& api, Fts5Context* fts) {
  auto* ranking = static_cast<Ranking*>(api.xGetAuxdata(fts, 0));
  if (ranking != nullptr) return *ranking;
  ranking = std::make_unique<Ranking>().release();
  // It is deleted even if this fails.
  const auto drop = [](void* old) { delete static_cast<Ranking*>(old); };
  if (const int set = api.xSetAuxdata(fts, ranking, drop); set != SQLITE_OK) throw set;
  return *ranking;
}

void best_rank(const Fts5ExtensionApi* api, Fts5Context* fts, sqlite3_context* result, int count,
               sqlite3_value** values) try {
  auto* const best =
      count != 2 ? nullptr : static_cast<BestPages*>(sqlite3_value_pointer(values[0], kBestType));
  if (best == nullptr) return sqlite3_result_error(result, "best_rank() is not for users", -1);
  Ranking& ranking = ranking_of(*api, fts);
  ranking.frequencies.clear();
  int phrase = 0;
  for (const BestPages::Term& term : best->terms()) {
    phrase += static_cast<int>(term.skipped);
    const int end = phrase + static_cast<int>(term.phrases);
    ranking.frequencies.push_back(ranking.places.frequency(*api, fts, phrase, end));
    phrase = end;
  }
  const bool is_added =
      best->add(sqlite3_value_int64(values[1]), api->xRowid(fts), ranking.frequencies);
  sqlite3_result_int(result, is_added ? 1 : 0);
} catch (int code) {  // no exception may pass through C
  sqlite3_result_error_code(result, code);
} catch (...) {
  sqlite3_result_error_nomem(result);
}

bool has_phrase(const Fts5ExtensionApi& api, Fts5Context* fts, int first, int end) {
  for (int phrase = first; phrase < end; ++phrase) {
    Fts5PhraseIter at;
    int column = -1;
    int offset = 0;
    const int code = api.xPhraseFirst(fts, phrase, &at, &column, &offset);
    if (code != SQLITE_OK) throw code;
    if (column >= 0) return true;
  }
  return false;
}

void enough_terms(const Fts5ExtensionApi* api, Fts5Context* fts, sqlite3_context* result, int count,
                  sqlite3_value** values) try {
  const auto* const enough =
      count != 1 ? nullptr
                 : static_cast<EnoughTerms*>(sqlite3_value_pointer(values[0], kEnoughType));
  if (enough == nullptr) {
    return sqlite3_result_error(result, "enough_terms() is not for users", -1);
  }
  TermSet found = 0;
  double rarity = 0;
  int phrase = 0;
  for (std::size_t at = 0; at < enough->terms.size(); ++at) {
    const BestPages::Term& term = enough->terms[at];
    phrase += static_cast<int>(term.skipped);
    const int end = phrase + static_cast<int>(term.phrases);
    if (has_phrase(*api, fts, phrase, end)) {
      found |= TermSet{1} << at;
      rarity += term.rarity;
    }
    phrase = end;
  }
  sqlite3_result_int64(result, rarity < enough->rarity_min ? 0 : found);
} catch (int code) {  // no exception may pass through C
  sqlite3_result_error_code(result, code);
}

}  // namespace

TermSet all_terms(std::size_t count) noexcept {
  return count >= 32 ? ~TermSet{0} : (TermSet{1} << count) - 1;
}

double rarity_of(double pages_with, double pages) {
  // In this order, also a damaged index (with a logarithm that is no number) has a rank.
  return std::max(kRarityMin, std::log((pages - pages_with + 0.5) / (pages_with + 0.5)));
}

BestPages::BestPages(std::vector<Term> terms, const PageLengths& lengths, std::size_t count,
                     bool are_complete_first, double rarity_min)
    : terms_(std::move(terms)),
      lengths_(lengths),
      count_(std::max<std::size_t>(count, 1)),
      required_(are_complete_first ? all_terms(terms_.size()) : 0),
      rarity_min_(rarity_min),
      words_per_page_(static_cast<double>(std::max<std::uint64_t>(lengths.words(), 1)) /
                      static_cast<double>(std::max<std::uint64_t>(lengths.pages(), 1))) {}

bool BestPages::add(std::int64_t id, std::int64_t text, const std::vector<double>& frequencies) {
  const auto words = static_cast<double>(lengths_.of(text));
  const double length = 1 - kLengthShare + kLengthShare * words / words_per_page_;
  Page page = {.id = id};
  double rarity = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (frequencies[i] > 0) {
      page.found |= TermSet{1} << i;
      rarity += terms_[i].rarity;
    }
    page.score += terms_[i].rarity * frequencies[i] * (kSaturation + 1) /
                  (frequencies[i] + kSaturation * length);
  }
  if (rarity < rarity_min_) return false;
  if (best_.size() == count_) {
    if (!IsBetter(required_)(page, best_.front())) return true;
    std::ranges::pop_heap(best_, IsBetter(required_));
    best_.pop_back();
  }
  best_.push_back(page);
  std::ranges::push_heap(best_, IsBetter(required_));
  return true;
}

std::vector<BestPages::Page> BestPages::take() {
  std::ranges::sort(best_, IsBetter(required_));
  return std::exchange(best_, {});
}

Result<void> register_best_rank(store::Database& database) {
  auto api = find_fts5(database);
  if (!api) return fail(std::move(api).error());
  struct Named {
    const char* name;
    fts5_extension_function function;
  };
  for (const auto& [name, function] :
       {Named{"best_rank", best_rank}, Named{"enough_terms", enough_terms}}) {
    if ((*api)->xCreateFunction(*api, name, nullptr, function, nullptr) != SQLITE_OK) {
      return fail(database.error());
    }
  }
  return {};
}

void bind_best(store::Statement& statement, BestPages& best) {
  statement.pointer(&best, kBestType);
}

void bind_enough(store::Statement& statement, const EnoughTerms& enough) {
  // SQLite has no pointers to constants; enough_terms() only reads.
  statement.pointer(const_cast<EnoughTerms*>(&enough), kEnoughType);
}

}  // namespace gossamer::index

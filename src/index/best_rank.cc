#include "index/best_rank.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "index/fts5.h"

namespace gossamer::index {
namespace {

// Title, URL, main text, and the rest of the page.
constexpr std::array<double, 4> kColumnWeights = {8, 4, 2, 1};
// The constants of bm25().
constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.75;
constexpr double kRarityMin = 1e-6;

// The matches of one query, as FTS5 shows them. Errors of FTS5 are thrown as their codes.
class Matches {
 public:
  Matches(const Fts5ExtensionApi& api, Fts5Context* context) : api_(api), context_(context) {}

  int phrases() const { return api_.xPhraseCount(context_); }
  double pages() const {
    sqlite3_int64 count = 0;
    check(api_.xRowCount(context_, &count));
    return static_cast<double>(count);
  }
  double words_in_all() const {
    sqlite3_int64 count = 0;
    check(api_.xColumnTotalSize(context_, -1, &count));
    return static_cast<double>(count);
  }
  double pages_with(int phrase) const {
    double count = 0;
    check(api_.xQueryPhrase(context_, phrase, &count,
                            [](const Fts5ExtensionApi*, Fts5Context*, void* data) {
                              ++*static_cast<double*>(data);
                              return SQLITE_OK;
                            }));
    return count;
  }

  // --- of the present page

  sqlite3_int64 id() const { return api_.xRowid(context_); }
  double words() const {
    int count = 0;
    check(api_.xColumnSize(context_, -1, &count));
    return count;
  }
  // How often a phrase occurs. An important column counts more.
  double frequency(int phrase) const {
    double frequency = 0;
    Fts5PhraseIter at;
    int column = -1;
    int offset = 0;
    check(api_.xPhraseFirst(context_, phrase, &at, &column, &offset));
    for (; column >= 0; api_.xPhraseNext(context_, &at, &column, &offset)) {
      frequency += kColumnWeights.at(static_cast<std::size_t>(column));
    }
    return frequency;
  }

 private:
  static void check(int code) {
    if (code != SQLITE_OK) throw code;
  }

  const Fts5ExtensionApi& api_;
  Fts5Context* const context_;
};

// The scores of one query so far.
class Ranking {
 public:
  Ranking(const Matches& matches, std::size_t count) : count_(std::max<std::size_t>(count, 1)) {
    const double pages = matches.pages();
    words_per_page_ = matches.words_in_all() / pages;
    for (int i = 0; i < matches.phrases(); ++i) {
      const double with = matches.pages_with(i);
      rarities_.push_back(std::max(std::log((pages - with + 0.5) / (with + 0.5)), kRarityMin));
    }
    frequencies_.resize(rarities_.size());
  }

  // Returns the score of the present page.
  double score(const Matches& matches) {
    // A statement may compute it twice.
    if (matches.id() == last_id_ && !best_.empty()) return last_score_;
    last_id_ = matches.id();
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      frequencies_[i] = matches.frequency(static_cast<int>(i));
    }
    last_score_ = score_for(0);
    if (best_.size() == count_ && last_score_ < best_.top()) return last_score_;
    last_score_ = score_for(matches.words());
    if (best_.size() < count_) {
      best_.push(last_score_);
    } else if (last_score_ > best_.top()) {
      best_.pop();
      best_.push(last_score_);
    }
    return last_score_;
  }

 private:
  // For a page with so many words.
  double score_for(double words) const {
    const double length = 1 - kLengthShare + kLengthShare * words / words_per_page_;
    double score = 0;
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      score += rarities_[i] * frequencies_[i] * (kSaturation + 1) /
               (frequencies_[i] + kSaturation * length);
    }
    return score;
  }

  const std::size_t count_;
  double words_per_page_ = 0;
  std::vector<double> rarities_;     // of the phrases
  std::vector<double> frequencies_;  // of the phrases, in the present page
  std::priority_queue<double, std::vector<double>, std::greater<>> best_;  // BOUND: count_
  sqlite3_int64 last_id_ = 0;
  double last_score_ = 0;
};

void best_rank(const Fts5ExtensionApi* api, Fts5Context* fts, sqlite3_context* result, int count,
               sqlite3_value** values) try {
  if (count != 1) return sqlite3_result_error(result, "best_rank() needs a count", -1);
  const Matches matches(*api, fts);
  auto* ranking = static_cast<Ranking*>(api->xGetAuxdata(fts, 0));
  if (ranking == nullptr) {
    const auto wanted = std::max<sqlite3_int64>(sqlite3_value_int64(values[0]), 0);
    ranking = std::make_unique<Ranking>(matches, static_cast<std::size_t>(wanted)).release();
    // It is deleted even if this fails.
    const auto drop = [](void* old) { delete static_cast<Ranking*>(old); };
    if (const int set = api->xSetAuxdata(fts, ranking, drop); set != SQLITE_OK) throw set;
  }
  sqlite3_result_double(result, ranking->score(matches));
} catch (int code) {  // no exception may pass through C
  sqlite3_result_error_code(result, code);
} catch (...) {
  sqlite3_result_error_nomem(result);
}

}  // namespace

Result<void> register_best_rank(store::Database& database) {
  auto api = find_fts5(database);
  if (!api) return fail(std::move(api).error());
  if ((*api)->xCreateFunction(*api, "best_rank", nullptr, best_rank, nullptr) != SQLITE_OK) {
    return fail(database.error());
  }
  return {};
}

}  // namespace gossamer::index

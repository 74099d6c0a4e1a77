#include "index/spelling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/edit_distance.h"
#include "base/utf8.h"
#include "index/fts_tokenizer.h"
#include "index/match.h"
#include "index/query_words.h"

namespace gossamer::index {
namespace {

// BOUND: longer words are not corrected. The distance takes the product of the sizes.
constexpr std::size_t kWordMax = 32;
// Shorter words have too many neighbours.
constexpr std::size_t kWordMin = 3;
constexpr std::size_t kLongWord = 6;

// BOUND: words that may replace one, and choices that are searched for.
constexpr std::size_t kWordsTried = 8;
constexpr std::size_t kCorrectionsTried = 32;
// A word that is a letter further must be on 20 times as many pages.
constexpr double kLetterCost = 3;

std::size_t distance_max(std::string_view word) { return word.size() < kLongWord ? 1 : 2; }

Result<std::int64_t> pages_with(const QueryTerm& term, IndexDatabase& index) {
  auto statement = index.database().prepare("SELECT count(*) FROM fts WHERE fts MATCH ?");
  if (!statement) return fail(std::move(statement).error());
  const MatchTerm match = match_term(term, index.tokenizer().query_stemmers());
  auto row = statement->text(match.text).step();
  if (!row) return fail(std::move(row).error());
  return statement->number_at(0);
}

// A word instead of an unknown one.
struct Replacement {
  double score = 0;
  std::string word;
};

// A frequent word is more likely what the user meant than a rare one that is a letter nearer.
double score_of(std::size_t distance, std::int64_t pages) {
  return std::log(static_cast<double>(pages)) - kLetterCost * static_cast<double>(distance);
}

// Returns the most likely words, best first.
Result<std::vector<Replacement>> similar_words(std::string_view word, IndexDatabase& index) {
  const base::Utf8Sequence first = base::decode_utf8(word);
  std::vector<Replacement> found;
  if (first.length == 0) return found;
  const std::string begin(word.substr(0, first.length));
  std::string end;
  base::append_utf8(end, first.code_point + 1);
  auto statement =
      index.database().prepare("SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?");
  if (!statement) return fail(std::move(statement).error());
  statement->text(begin).text(end);
  const std::size_t most = distance_max(word);
  while (true) {
    auto row = statement->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) break;
    const std::string_view term = statement->text_at(0);
    const std::size_t difference =
        std::max(term.size(), word.size()) - std::min(term.size(), word.size());
    if (difference > most) continue;
    const std::size_t distance = base::edit_distance(word, term);
    if (distance > most || distance == 0) continue;
    found.push_back({score_of(distance, statement->number_at(1)), std::string(term)});
  }
  std::ranges::sort(found, [](const Replacement& a, const Replacement& b) {
    return std::tie(b.score, a.word) < std::tie(a.score, b.word);
  });
  found.resize(std::min(found.size(), kWordsTried));
  return found;
}

// A word of the query, with what may replace it.
struct DoubtfulWord {
  std::size_t place = 0;
  std::vector<Replacement> similar;
};

bool can_be_corrected(const QueryTerm& term) {
  if (term.is_excluded || term.kind != QueryTerm::Kind::word) return false;
  const std::vector<QueryWord> words = words_of(term);
  return words.size() == 1 && !words[0].is_ideographic && words[0].text.size() >= kWordMin &&
         words[0].text.size() <= kWordMax;
}

// Empty if all words are known, or if there is nothing similar to an unknown one. A known word may
// be a mistake of a page, so it is one of the words that may replace it.
Result<std::vector<DoubtfulWord>> doubtful_words(const Query& query, IndexDatabase& index) {
  std::vector<DoubtfulWord> words;
  std::vector<std::int64_t> known;
  for (std::size_t place = 0; place < query.terms.size(); ++place) {
    const QueryTerm& term = query.terms[place];
    if (!can_be_corrected(term)) continue;
    const auto pages = pages_with(term, index);
    if (!pages) return fail(pages.error().copy());
    known.push_back(*pages);
    words.push_back({place, {}});
  }
  if (std::ranges::find(known, 0) == known.end()) return std::vector<DoubtfulWord>();
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& text = query.terms[words[at].place].text;
    auto similar = similar_words(words_of(query.terms[words[at].place])[0].text, index);
    if (!similar) return fail(std::move(similar).error());
    if (known[at] > 0) similar->push_back({score_of(0, known[at]), text});
    if (similar->empty()) return std::vector<DoubtfulWord>();
    words[at].similar = std::move(*similar);
  }
  return words;
}

// A choice for each of these words.
struct Correction {
  double score = 0;
  std::vector<std::size_t> chosen;
};

// Returns the best choices, best first.
std::vector<Correction> corrections(const std::vector<DoubtfulWord>& words) {
  std::vector<Correction> all = {{}};
  for (const DoubtfulWord& word : words) {
    std::vector<Correction> more;
    for (const Correction& one : all) {
      for (std::size_t at = 0; at < word.similar.size(); ++at) {
        more.push_back(one);
        more.back().score += word.similar[at].score;
        more.back().chosen.push_back(at);
      }
    }
    std::ranges::sort(more, [](const Correction& a, const Correction& b) {
      return std::tie(b.score, a.chosen) < std::tie(a.score, b.chosen);
    });
    more.resize(std::min(more.size(), kCorrectionsTried));
    all = std::move(more);
  }
  return all;
}

}  // namespace

Result<std::string> corrected(const Query& query, IndexDatabase& index, FindsPages finds) {
  auto words = doubtful_words(query, index);
  if (!words) return fail(std::move(words).error());
  if (words->empty()) return std::string();
  for (const Correction& correction : corrections(*words)) {
    Query better = query;
    for (std::size_t at = 0; at < words->size(); ++at) {
      const DoubtfulWord& word = (*words)[at];
      better.terms[word.place].text = word.similar[correction.chosen[at]].word;
    }
    auto found = finds(better);
    if (!found) return fail(std::move(found).error());
    if (*found) return to_text(better);
  }
  return std::string();
}

}  // namespace gossamer::index

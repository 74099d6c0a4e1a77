#include "index/spelling.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

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

std::size_t distance_max(std::string_view word) { return word.size() < kLongWord ? 1 : 2; }

Result<bool> is_known(const QueryTerm& term, IndexDatabase& index) {
  auto statement = index.database().prepare("SELECT 1 FROM fts WHERE fts MATCH ? LIMIT 1");
  if (!statement) return fail(std::move(statement).error());
  const MatchTerm match = match_term(term, index.tokenizer().query_stemmers());
  return statement->text(match.text).step();
}

// Returns the nearest word, and of these the most frequent one; empty: there is none.
Result<std::string> nearest_word(std::string_view word, IndexDatabase& index) {
  const base::Utf8Sequence first = base::decode_utf8(word);
  if (first.length == 0) return std::string();
  const std::string begin(word.substr(0, first.length));
  std::string end;
  base::append_utf8(end, first.code_point + 1);
  auto statement =
      index.database().prepare("SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?");
  if (!statement) return fail(std::move(statement).error());
  statement->text(begin).text(end);
  const std::size_t most = distance_max(word);
  // The smaller, the better.
  std::tuple<std::size_t, std::int64_t, std::string> best = {most + 1, 0, ""};
  while (true) {
    auto row = statement->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return std::get<2>(std::move(best));
    const std::string_view term = statement->text_at(0);
    const std::size_t difference =
        std::max(term.size(), word.size()) - std::min(term.size(), word.size());
    if (difference > most) continue;
    const std::size_t distance = base::edit_distance(word, term);
    if (distance > most || distance == 0) continue;
    best = std::min(best, {distance, -statement->number_at(1), std::string(term)});
  }
}

}  // namespace

Result<std::string> corrected(const Query& query, IndexDatabase& index) {
  Query better = query;
  bool is_changed = false;
  for (QueryTerm& term : better.terms) {
    if (term.is_excluded || term.kind != QueryTerm::Kind::word) continue;
    const std::vector<QueryWord> words = words_of(term);
    const bool is_word = words.size() == 1 && !words[0].is_ideographic &&
                         words[0].text.size() >= kWordMin && words[0].text.size() <= kWordMax;
    if (!is_word) continue;
    auto known = is_known(term, index);
    if (!known) return fail(std::move(known).error());
    if (*known) continue;
    auto nearest = nearest_word(words[0].text, index);
    if (!nearest) return fail(std::move(nearest).error());
    if (nearest->empty()) return std::string();
    term.text = std::move(*nearest);
    is_changed = true;
  }
  return is_changed ? to_text(better) : std::string();
}

}  // namespace gossamer::index

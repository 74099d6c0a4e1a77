#include "index/rank.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <string_view>
#include <tuple>

#include "index/page_text.h"
#include "index/query_words.h"
#include "index/words.h"

namespace gossamer::index {
namespace {

// Measured with known pages of documentation (docs/search.md).
constexpr double kWordsWeight = 1.0;
constexpr double kTitleWeight = 1.0;    // all words of the query are in the title
constexpr double kWholeWeight = 0.6;    // and nothing else is there
constexpr double kUrlWeight = 0.3;      // all words of the query are in the URL
constexpr double kDepthWeight = 0.1;    // a page at the top of its site
constexpr double kHeadingWeight = 1.0;  // all words of the query are in one heading
constexpr double kPassageWeight = 1.0;  // all of them are close together

// What a score depends on.
struct RankedPage {
  double words = 0;  // BM25 of this page in relation to that of the best: 0 to 1
  std::string_view title;
  std::string_view url;
};

// How well a text fits the query.
struct Fit {
  double coverage = 0;   // the share of the query's words that are in the text
  double precision = 0;  // the share of the text's words that are in the query
};

Fit fit_of(std::string_view text, std::size_t query_words, QueryWords::Matcher& matcher) {
  WordSet found = 0;
  std::size_t words = 0;
  std::size_t matched = 0;
  WordReader reader(text);
  while (reader.next()) {
    const WordSet matches = matcher.match(reader.word(), reader.is_ideographic());
    found |= matches;
    if (reader.is_colocated()) continue;
    ++words;
    matched += matches != 0 ? 1 : 0;
  }
  if (words == 0 || query_words == 0) return {};
  return {static_cast<double>(std::popcount(found)) / static_cast<double>(query_words),
          static_cast<double>(matched) / static_cast<double>(words)};
}

// "https://a.example/b/c.html" has two levels.
std::size_t levels_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  std::string_view path = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
  path = path.substr(0, path.find_first_of("?#"));
  while (path.ends_with('/')) path.remove_suffix(1);
  return static_cast<std::size_t>(std::ranges::count(path, '/'));
}

// Returns the parts of the score. BM25 rates a word in most pages as nothing, and does not know
// that a title consists of exactly the words of the query; so titles and URLs add to it.
std::vector<ScorePart> score_parts(const RankedPage& page, const QueryWords& words,
                                   QueryWords::Matcher matcher) {
  std::vector<ScorePart> parts = {{"words", kWordsWeight * page.words}};
  const std::size_t count = words.words().size();
  const Fit title = fit_of(page.title, count, matcher);
  parts.push_back({"title", kTitleWeight * title.coverage * title.coverage});
  parts.push_back({"whole title", kWholeWeight * title.coverage * title.precision});
  const Fit url = fit_of(url_words(page.url), count, matcher);
  parts.push_back({"url", kUrlWeight * url.coverage * url.coverage});
  parts.push_back({"depth", kDepthWeight / static_cast<double>(1 + levels_of(page.url))});
  return parts;
}

// The parts of a score that the text of a page adds, which lacks some of the words of the query.
std::vector<ScorePart> text_parts(const BestSection& best, std::size_t words, std::size_t missing) {
  const auto most = static_cast<double>(missing < words ? words - missing : 1);
  const auto squared = [most](int found) {
    const double share = std::min(1.0, found / most);
    return share * share;
  };
  return {{"heading", kHeadingWeight * squared(best.heading_words)},
          {"passage", kPassageWeight * squared(best.passage_words)}};
}

double sum_of(const std::vector<ScorePart>& parts) {
  double sum = 0;
  for (const ScorePart& part : parts) sum += part.points;
  return sum;
}

// Whether pages with all words of the query precede the others.
bool are_complete_first(const SearchWork& work) { return work.partial && work.partial->is_below; }

}  // namespace

void order_candidates(std::vector<Candidate>& candidates, const SearchWork& work) {
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
  const auto first = std::span(candidates).first(std::min(kRankedMax, candidates.size()));
  const bool is_below = are_complete_first(work);
  const TermSet all = all_terms(work.terms.size());
  std::ranges::sort(first, {}, [is_below, all](const Candidate& one) {
    return std::tuple(is_below && one.found != all, -one.score, one.page.id);
  });
}

void add_text_score(Hit& hit, const BestSection& best, const SearchWork& work) {
  auto parts = text_parts(best, work.words.words().size(), hit.missing_words.size());
  hit.score += sum_of(parts);
  if (work.options.explains) std::ranges::move(parts, std::back_inserter(hit.score_parts));
}

void order_hits(std::vector<Hit>& hits, const SearchWork& work) {
  const auto first = std::span(hits).first(std::min(work.texts_ranked(), hits.size()));
  const bool is_below = are_complete_first(work);
  std::ranges::sort(first, {}, [is_below](const Hit& hit) {
    return std::tuple(is_below && !hit.missing_words.empty(), -hit.score, hit.page.id);
  });
}

}  // namespace gossamer::index

#include "index/snippet.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "index/words.h"

namespace gossamer::index {
namespace {

// A word of the text, with the words of the query that it matches.
struct TextWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  WordSet matches = 0;
};

std::vector<TextWord> words_of_text(std::string_view text, QueryWords::Matcher& matcher) {
  std::vector<TextWord> words;
  WordReader reader(text);
  while (reader.next()) {
    const WordSet matches = matcher.match(reader.word(), reader.is_ideographic());
    if (reader.is_colocated()) {
      words.back().matches |= matches;
    } else {
      words.push_back({reader.begin(), reader.end(), matches});
    }
  }
  return words;
}

// Words of a phrase count only where the whole phrase is.
void drop_partial_phrases(std::vector<TextWord>& words, const QueryWords& query) {
  std::vector<WordSet> kept(words.size());
  for (const WordRun& run : query.runs()) {
    for (std::size_t at = 0; at + run.size <= words.size(); ++at) {
      std::size_t matched = 0;
      while (matched < run.size &&
             (words[at + matched].matches >> (run.begin + matched) & 1) != 0) {
        ++matched;
      }
      if (matched < run.size) continue;
      for (std::size_t i = 0; i < run.size; ++i) kept[at + i] |= WordSet{1} << (run.begin + i);
    }
  }
  for (std::size_t at = 0; at < words.size(); ++at) words[at].matches = kept[at];
}

std::vector<TextWord> matching_words(std::string_view text, const QueryWords& query,
                                     QueryWords::Matcher& matcher) {
  std::vector<TextWord> words = words_of_text(text, matcher);
  drop_partial_phrases(words, query);
  std::erase_if(words, [](const TextWord& word) { return word.matches == 0; });
  return words;
}

// Marks side by side become one.
std::vector<Mark> marks_of(std::string_view text, const std::vector<TextWord>& words,
                           std::size_t begin, std::size_t end) {
  std::vector<Mark> marks;
  for (const TextWord& word : words) {
    if (word.begin < begin || word.begin >= end) continue;
    const std::size_t word_end = std::min(word.end, end);
    if (!marks.empty()) {
      const std::string_view gap =
          text.substr(marks.back().end, std::max(word.begin, marks.back().end) - marks.back().end);
      if (word.begin <= marks.back().end || gap == " ") {
        marks.back().end = std::max(marks.back().end, word_end);
        continue;
      }
    }
    marks.push_back({word.begin, word_end});
  }
  return marks;
}

// The first of the words that the best window begins with. A window is better with more distinct
// words of the query, then with more words, then if it comes first.
std::size_t best_window(const std::vector<TextWord>& words, std::size_t bytes) {
  std::array<std::uint32_t, kQueryWordsMax> counts = {};
  std::size_t distinct = 0;
  std::size_t end = 0;
  std::size_t best = 0;
  std::size_t best_value = 0;
  const auto count = [&](WordSet matches, bool is_added) {
    for (; matches != 0; matches &= matches - 1) {
      auto& number = counts[static_cast<std::size_t>(std::countr_zero(matches))];
      if (is_added) distinct += number++ == 0 ? 1 : 0;
      if (!is_added) distinct -= --number == 0 ? 1 : 0;
    }
  };
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    while (end < words.size() && (end <= begin || words[end].end - words[begin].begin <= bytes)) {
      count(words[end++].matches, true);
    }
    constexpr std::size_t kWordsCounted = 8;
    const std::size_t value = distinct * (kWordsCounted + 1) + std::min(end - begin, kWordsCounted);
    if (value > best_value) {
      best_value = value;
      best = begin;
    }
    count(words[begin].matches, false);
  }
  return best;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Moves to the next begin of a word, or at least of a character.
std::size_t word_begin(std::string_view text, std::size_t at, std::size_t limit) {
  if (at == 0) return 0;
  const std::size_t blank = text.find_first_of(" \n\t", at - 1);
  if (blank != std::string_view::npos && blank < limit) return blank + 1;
  while (at < text.size() && is_continuation(text[at])) ++at;
  return std::min(at, limit);
}

std::size_t word_end(std::string_view text, std::size_t at, std::size_t least) {
  if (at >= text.size()) return text.size();
  const std::size_t blank = text.find_last_of(" \n\t", at);
  if (blank != std::string_view::npos && blank > least) return blank;
  while (at > least && is_continuation(text[at])) --at;
  return std::max(at, least);
}

// Every byte keeps its place.
std::string without_controls(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < out.size(); ++at) {
    const auto byte = static_cast<unsigned char>(out[at]);
    if (byte < 0x20 || byte == 0x7F) out[at] = ' ';
    const bool is_c1 =
        byte == 0xC2 && at + 1 < out.size() && static_cast<unsigned char>(out[at + 1]) < 0xA0;
    if (is_c1) out[at] = out[at + 1] = ' ';
  }
  return out;
}

MarkedText cut_out(std::string_view text, const std::vector<TextWord>& words, std::size_t begin,
                   std::size_t end) {
  constexpr std::string_view kEllipsis = "\u2026";
  MarkedText out;
  out.marks = marks_of(text, words, begin, end);
  if (begin > 0) out.text += kEllipsis;
  const std::size_t shift = out.text.size();
  out.text += without_controls(text.substr(begin, end - begin));
  if (end < text.size()) out.text += kEllipsis;
  for (Mark& mark : out.marks) {
    mark.begin = mark.begin - begin + shift;
    mark.end = mark.end - begin + shift;
  }
  return out;
}

}  // namespace

namespace {

std::string_view first_part(std::string_view text) {
  if (text.size() <= kSnippetTextBytes) return text;
  return text.substr(0, word_end(text, kSnippetTextBytes, kSnippetTextBytes / 2));
}

MarkedText snippet_around(std::string_view text, const std::vector<TextWord>& matches,
                          std::size_t bytes) {
  // A quarter of the text comes before the first word.
  const TextWord& first = matches[best_window(matches, bytes - bytes / 4)];
  const std::size_t lead = std::min(bytes / 4, first.begin);
  const std::size_t begin = word_begin(text, first.begin - lead, first.begin);
  // A word may be longer than the snippet: its begin is shown.
  const std::size_t least = first.end <= begin + bytes ? first.end : first.begin;
  const std::size_t end = word_end(text, begin + bytes, least);
  return cut_out(text, matches, begin, end);
}

// The parts of a main text: what precedes all sections, then the sections.
class SectionSpans {
 public:
  SectionSpans(std::size_t main_bytes, const std::vector<Section>& sections)
      : main_bytes_(main_bytes), sections_(sections) {}

  std::size_t count() const { return sections_.size() + 1; }
  const Section* section(std::size_t at) const { return at == 0 ? nullptr : &sections_[at - 1]; }
  std::size_t begin(std::size_t at) const { return at == 0 ? 0 : sections_[at - 1].begin; }
  std::size_t end(std::size_t at) const {
    return at < sections_.size() ? sections_[at].begin : main_bytes_;
  }

 private:
  std::size_t main_bytes_;
  const std::vector<Section>& sections_;
};

// BOUND: bytes of words that are close together.
constexpr std::size_t kPassageBytes = 80;

// Returns how many words of the query are close together, in the best place.
int most_words_together(const std::vector<TextWord>& matches) {
  int most = 0;
  for (std::size_t begin = 0; begin < matches.size(); ++begin) {
    WordSet words = 0;
    for (std::size_t at = begin;
         at < matches.size() && matches[at].end - matches[begin].begin <= kPassageBytes; ++at) {
      words |= matches[at].matches;
    }
    most = std::max(most, std::popcount(words));
  }
  return most;
}

WordSet words_between(const std::vector<TextWord>& matches, std::size_t begin, std::size_t end) {
  WordSet words = 0;
  auto at = std::ranges::lower_bound(matches, begin, {}, &TextWord::begin);
  for (; at != matches.end() && at->begin < end; ++at) words |= at->matches;
  return words;
}

}  // namespace

BestSection find_best_section(std::string_view text, std::size_t main_bytes,
                              const std::vector<Section>& sections, const QueryWords& words,
                              const QueryWords::Matcher& matcher, std::size_t bytes) {
  QueryWords::Matcher own = matcher;
  const std::string_view part = first_part(text);
  const std::vector<TextWord> matches = matching_words(part, words, own);
  const SectionSpans spans(main_bytes, sections);
  std::size_t best = 0;
  int heading_words = 0;
  int best_value = 2 * std::popcount(words_between(matches, 0, spans.end(0)));
  for (std::size_t at = 1; at < spans.count(); ++at) {
    const std::size_t begin = spans.begin(at);
    const std::size_t heading_end = begin + heading_of(*spans.section(at), text).size();
    WordSet heading = words_between(matches, begin, heading_end);
    WordSet all = words_between(matches, begin, spans.end(at));
    if (begin >= part.size()) {
      const auto found = matching_words(text.substr(begin, heading_end - begin), words, own);
      all = heading = words_between(found, 0, heading_end);
    }
    heading_words = std::max(heading_words, std::popcount(heading));
    const int value = 2 * std::popcount(all) + std::popcount(heading);
    if (value > best_value) {
      best = at;
      best_value = value;
    }
  }
  BestSection found = {.section = spans.section(best),
                       .heading_words = heading_words,
                       .passage_words = most_words_together(matches)};
  const Section* const section = found.section;
  if (section == nullptr) {
    found.snippet = matches.empty() ? make_snippet(text, words, matcher, bytes)
                                    : snippet_around(text, matches, bytes);
    return found;
  }
  const std::size_t heading_end = section->begin + heading_of(*section, text).size();
  const std::size_t begin = std::min(heading_end + 1, spans.end(best));
  const std::string_view body = text.substr(begin, spans.end(best) - begin);
  found.snippet = make_snippet(body, words, matcher, bytes);
  return found;
}

MarkedText make_snippet(std::string_view text, const QueryWords& words, QueryWords::Matcher matcher,
                        std::size_t bytes) {
  const std::string_view part = first_part(text);
  std::vector<TextWord> matches = matching_words(part, words, matcher);
  if (matches.empty() && part.size() < text.size()) matches = matching_words(text, words, matcher);
  if (matches.empty()) return cut_out(text, {}, 0, word_end(text, bytes, 0));
  return snippet_around(text, matches, bytes);
}

MarkedText mark_all(std::string_view text, const QueryWords& words, QueryWords::Matcher matcher) {
  return cut_out(text, matching_words(text, words, matcher), 0, text.size());
}

}  // namespace gossamer::index

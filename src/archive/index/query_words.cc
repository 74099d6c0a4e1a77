#include "index/query_words.h"

#include <algorithm>

#include "base/utf8.h"
#include "index/words.h"

namespace gossamer::index {

std::vector<QueryWord> words_of(const QueryTerm& term) {
  std::vector<QueryWord> words;
  WordReader reader(term.text, WordReader::Mode::query);
  const bool is_exact = term.kind != QueryTerm::Kind::word;
  while (reader.next()) {
    words.push_back({.text = std::string(reader.word()),
                     .is_exact = is_exact || reader.is_ideographic(),
                     .is_ideographic = reader.is_ideographic()});
  }
  if (words.empty()) return words;
  QueryWord& last = words.back();
  const bool is_single =
      last.is_ideographic && base::decode_utf8(last.text).length == last.text.size();
  last.is_prefix = term.kind == QueryTerm::Kind::prefix || is_single;
  return words;
}

QueryWords::QueryWords(const Query& query, Stemmers& stemmers) : stemmers_(stemmers) {
  for (const QueryTerm& term : query.terms) {
    if (term.is_excluded) continue;
    const std::vector<QueryWord> words = words_of(term);
    if (words_.size() + words.size() > kQueryWordsMax) break;
    const bool is_phrase = words.size() > 1;
    runs_.push_back({words_.size(), words.size(), term.field, is_phrase});
    words_.insert(words_.end(), words.begin(), words.end());
  }
}

QueryWords::Matcher QueryWords::matcher(std::string_view language) const {
  Matcher matcher;
  matcher.words_ = this;
  matcher.stemmer_ = &stemmers_.of(language);
  for (const QueryWord& word : words_) {
    matcher.stems_.emplace_back(word.is_exact ? std::string_view()
                                              : matcher.stemmer_->stem(word.text));
  }
  return matcher;
}

WordSet QueryWords::Matcher::match(std::string_view word, bool is_ideographic) {
  WordSet found = 0;
  std::string_view stem;
  for (std::size_t at = 0; at < stems_.size(); ++at) {
    const QueryWord& wanted = words_->words_[at];
    bool is_match = word == wanted.text || (wanted.is_prefix && word.starts_with(wanted.text));
    if (!is_match && !wanted.is_exact && !is_ideographic) {
      if (stem.empty()) stem = stemmer_->stem(word);
      is_match = stem == stems_[at];
    }
    if (is_match) found |= WordSet{1} << at;
  }
  return found;
}

}  // namespace gossamer::index

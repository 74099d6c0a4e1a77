#include "index/stemmer.h"

#include <libstemmer.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"

namespace gossamer::index {

Stemmer::Stemmer(std::string_view language)
    : rules_(sb_stemmer_new(std::string(language).c_str(), "UTF_8")) {
  if (rules_) slots_.resize(kSlots);
}

void Stemmer::Deleter::operator()(sb_stemmer* rules) const noexcept { sb_stemmer_delete(rules); }

std::string_view Stemmer::stem(std::string_view word) {
  const std::string_view marked = marked_stem(word);
  return marked.empty() ? word : marked.substr(1);
}

std::string_view Stemmer::marked_stem(std::string_view word) {
  if (!rules_ || word.empty()) return {};
  if (word.size() > kSlotText) {
    const std::string_view stem = stem_by_rules(word);
    if (stem == word) return {};
    marked_.assign(1, kStemMark).append(stem);
    return marked_;
  }
  Slot& slot = slots_[base::hash64(word) % kSlots];
  if (std::string_view(slot.word.data(), slot.word_size) != word) {
    const std::string_view stem = stem_by_rules(word);
    const bool is_same = stem == word;
    if (stem.size() >= slot.stem.size()) {
      marked_.assign(1, kStemMark).append(stem);
      return marked_;
    }
    slot.word_size = static_cast<std::uint8_t>(word.size());
    slot.stem_size = is_same ? std::uint8_t{0} : static_cast<std::uint8_t>(stem.size() + 1);
    std::ranges::copy(word, slot.word.begin());
    slot.stem.front() = kStemMark;
    std::ranges::copy(stem, slot.stem.begin() + 1);
  }
  return {slot.stem.data(), slot.stem_size};
}

std::string_view Stemmer::stem_by_rules(std::string_view word) {
  if (std::ranges::any_of(word, base::is_digit)) return word;
  const auto* const text = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* const stem = sb_stemmer_stem(rules_.get(), text, static_cast<int>(word.size()));
  if (stem == nullptr) return word;  // no memory
  const int size = sb_stemmer_length(rules_.get());
  if (size <= 0) return word;
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(size)};
}

Stemmer& Stemmers::of(std::string_view language) {
  if (const auto found = by_language_.find(language); found != by_language_.end()) {
    return found->second;
  }
  Stemmer stemmer(language);
  if (!stemmer.has_rules()) return by_language_.find("")->second;
  return by_language_.emplace(language, std::move(stemmer)).first->second;
}

}  // namespace gossamer::index

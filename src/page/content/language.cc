#include "content/language.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>

#include "base/utf8.h"
#include "content/frequent_words.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

// Scripts that one language uses, or nearly: some letters in it are only of others.
struct OwnScript {
  char32_t first;
  char32_t last;
  std::string_view code;
  char32_t first_of_others = 0;
  char32_t last_of_others = 0;
};
constexpr auto kOwnScripts = std::to_array<OwnScript>({
    {0x0370, 0x03FF, "el"},
    {0x0530, 0x058F, "hy"},
    {0x0590, 0x05FF, "he", 0x05F0, 0x05F2},
    {0x0980, 0x09FF, "bn", 0x09F0, 0x09F1},
    {0x0A00, 0x0A7F, "pa"},
    {0x0A80, 0x0AFF, "gu"},
    {0x0B00, 0x0B7F, "or"},
    {0x0B80, 0x0BFF, "ta"},
    {0x0C00, 0x0C7F, "te"},
    {0x0C80, 0x0CFF, "kn"},
    {0x0D00, 0x0D7F, "ml"},
    {0x0D80, 0x0DFF, "si"},
    {0x0E00, 0x0E7F, "th"},
    {0x0E80, 0x0EFF, "lo"},
    {0x0F00, 0x0FFF, "bo"},
    {0x1000, 0x109F, "my"},
    {0x10A0, 0x10FF, "ka"},
    {0x1200, 0x137F, "am"},
    {0x1780, 0x17FF, "km"},
    {0xAC00, 0xD7AF, "ko"},
});

constexpr bool is_in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_han(char32_t c) {
  return is_in(c, 0x4E00, 0x9FFF) || is_in(c, 0x3400, 0x4DBF) || is_in(c, 0x20000, 0x3134F);
}
bool is_kana(char32_t c) { return is_in(c, 0x3041, 0x30FF); }

// Returns whether the character belongs to a word. Punctuation beyond ASCII is in few blocks.
constexpr bool is_of_word(char32_t c) {
  if (c < 0x80) return html::is_ascii_letter(static_cast<int>(c)) || is_in(c, '0', '9');
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  if (c == 0xD7 || c == 0xF7) return false;
  if (is_in(c, 0x2000, 0x2BFF) || is_in(c, 0x3000, 0x303F)) return false;
  if (is_in(c, 0xFE10, 0xFE6F) || is_in(c, 0xFF00, 0xFF0F)) return false;
  return c != 0x060C && c != 0x061B && c != 0x061F && c != 0x0964 && c != 0x0965 && c != 0xFEFF;
}

Script script_of(char32_t c) {
  if (c < 0x0250 || is_in(c, 0x1E00, 0x1EFF)) return Script::latin;
  if (is_in(c, 0x0400, 0x052F)) return Script::cyrillic;
  if (is_in(c, 0x0600, 0x06FF) || is_in(c, 0x0750, 0x077F)) return Script::arabic;
  return is_in(c, 0x0900, 0x097F) ? Script::devanagari : Script::other;
}

// In the scripts that have words in the table.
char32_t to_lower_case(char32_t c) {
  if (is_in(c, 'A', 'Z') || (is_in(c, 0xC0, 0xDE) && c != 0xD7)) return c + 0x20;
  if (is_in(c, 0x0410, 0x042F)) return c + 0x20;
  if (is_in(c, 0x0400, 0x040F)) return c + 0x50;
  if (c == 0x0130) return 'i';
  const bool is_odd_pair = is_in(c, 0x0139, 0x0148) || is_in(c, 0x0179, 0x017E);
  if (is_odd_pair) return c % 2 == 1 ? c + 1 : c;
  const bool is_even_pair = is_in(c, 0x0100, 0x0137) || is_in(c, 0x014A, 0x0177) ||
                            is_in(c, 0x0218, 0x021B) || is_in(c, 0x1E00, 0x1EFF) || c == 0x01A0;
  if (is_even_pair) return c % 2 == 0 ? c + 1 : c;
  return c == 0x01AF ? 0x01B0 : c;
}

struct Character {
  char32_t code_point;  // U+FFFD: it is not UTF-8
  std::size_t bytes;
};

Character character_at(std::string_view text, std::size_t at) {
  // Most text is ASCII.
  if (const auto byte = static_cast<unsigned char>(text[at]); byte < 0x80) return {byte, 1};
  const base::Utf8Sequence sequence = base::decode_utf8(text.substr(at));
  return sequence.length == 0 ? Character{0xFFFD, 1}
                              : Character{sequence.code_point, sequence.length};
}

using LanguageSet = std::uint64_t;

// Calls use(word, languages) for each frequent word or letter, once for each language that has it.
template <class Use>
void for_each_entry(std::string_view LanguageWords::*column, Use use) {
  for (std::size_t i = 0; i < kFrequentWords.size(); ++i) {
    html::for_each_word(kFrequentWords[i].*column,
                        [&](std::string_view word) { use(word, LanguageSet{1} << i); });
  }
}

// The first bytes of a text as a number, which is the same for equal bytes.
// REQUIRES: 1 to 8 bytes, and the text has them.
std::uint64_t packed(std::string_view text, std::size_t bytes) noexcept {
  std::uint64_t key = 0;
  if (text.size() < sizeof(key)) {
    std::memcpy(&key, text.data(), bytes);
    return key;
  }
  std::memcpy(&key, text.data(), sizeof(key));
  const std::size_t unused_bits = 64 - 8 * bytes;
  static_assert(std::endian::native == std::endian::little, "the first bytes are the low ones");
  return key << unused_bits >> unused_bits;
}

// Frequent words, with the languages that have them. Most are short, and are compared as numbers.
class WordTable {
 public:
  static constexpr std::size_t kShortBytes = sizeof(std::uint64_t);

  WordTable() {
    for_each_entry(&LanguageWords::words, [this](std::string_view word, LanguageSet language) {
      if (std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
        ascii_bytes_max_ = std::max(ascii_bytes_max_, word.size());
      }
      if (word.size() > kShortBytes) {
        long_words_[word] |= language;
        return;
      }
      Slot& slot = slots_[place(packed(word, word.size()))];
      slot.key = packed(word, word.size());
      slot.languages |= language;
    });
  }
  // No longer word of ASCII is in the table.
  std::size_t ascii_bytes_max() const noexcept { return ascii_bytes_max_; }
  // Return an empty set if the word is not frequent.
  LanguageSet find_short(std::uint64_t key) const noexcept { return slots_[place(key)].languages; }
  LanguageSet find(std::string_view word) const {
    if (word.size() <= kShortBytes) return find_short(packed(word, word.size()));
    const auto found = long_words_.find(word);
    return found == long_words_.end() ? 0 : found->second;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: free
    LanguageSet languages = 0;
  };
  // BOUND: more than the words of the table, of which there are about 1,800.
  static constexpr std::size_t kSlots = 4096;

  // Returns where the key is, or where it would be.
  std::size_t place(std::uint64_t key) const noexcept {
    std::size_t at = (key * 0x9E37'79B9'7F4A'7C15) >> (64 - std::bit_width(kSlots - 1));
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) % kSlots;
    return at;
  }

  std::array<Slot, kSlots> slots_;
  std::unordered_map<std::string_view, LanguageSet> long_words_;
  std::size_t ascii_bytes_max_ = 0;
};

const WordTable& word_table() {
  static const WordTable table;
  return table;
}

constexpr auto kIsAsciiWord = [] {
  std::array<bool, 256> table = {};
  for (char32_t c = 0; c < 0x80; ++c) table[c] = is_of_word(c);
  return table;
}();
// Of letters and digits of ASCII, the letters have this bit.
constexpr std::uint64_t kLetterBits = 0x4040'4040'4040'4040;

// Returns the end of the letters and digits of ASCII. REQUIRES: one is at the place.
std::size_t ascii_word_end(std::string_view text, std::size_t at) noexcept {
  ++at;
  while (at < text.size() && kIsAsciiWord[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

// Collects evidence for languages that share a script.
class Evidence {
 public:
  bool is_in_word() const noexcept { return !word_.empty(); }
  // Adds the whole word of letters and digits at the beginning of a text. Returns the number of its
  // letters. REQUIRES: not in a word.
  std::size_t add_ascii_word(std::string_view text, std::size_t bytes) {
    ++words_;
    if (bytes <= WordTable::kShortBytes) {
      const std::uint64_t key = packed(text, bytes);
      // Letters in lower case have the next bit, too.
      const std::uint64_t lower = key | (key & kLetterBits) >> 1;
      add_word(table_.find_short(lower));
      return static_cast<std::size_t>(std::popcount(key & kLetterBits));
    }
    const std::string_view word = text.substr(0, bytes);
    if (word.size() <= table_.ascii_bytes_max()) {
      add_word(table_.find(html::lower_case(word)));
    }
    return static_cast<std::size_t>(std::ranges::count_if(word, html::is_ascii_letter));
  }
  void add_character(char32_t c) {
    // Words that are longer than any in the table do not matter.
    const bool has_room = word_.size() < 40;
    if (c < 0x80) {
      if (has_room) word_ += static_cast<char>(c);
      return;
    }
    if (has_room) base::append_utf8(word_, c);
    std::string letter;
    base::append_utf8(letter, c);
    static const auto letters = [] {
      std::unordered_map<std::string_view, LanguageSet> table;
      for_each_entry(&LanguageWords::letters, [&table](std::string_view one, LanguageSet language) {
        table[one] |= language;
      });
      return table;
    }();
    if (const auto found = letters.find(letter); found != letters.end())
      add(found->second, 0.3, by_letters_);
  }
  void end_word() {
    if (word_.empty()) return;
    ++words_;
    add_word(table_.find(word_));
    word_.clear();
  }
  // Returns the best language of the script; empty: none is clearly the best.
  std::string_view best(Script script) const {
    std::size_t first = 0;
    double most = 0;
    double second = 0;
    for (std::size_t i = 0; i < kLanguages; ++i) {
      const double score = by_words_[i] + by_letters_[i];
      if (kFrequentWords[i].script != script || score <= second) continue;
      second = std::min(score, most);
      if (score <= most) continue;
      most = score;
      first = i;
    }
    const double least = std::max(2.0, static_cast<double>(words_) * 0.04);
    // Letters alone may come from a wrong encoding.
    const bool is_clear = most >= least && by_words_[first] >= 1 && most > second * 1.15;
    return is_clear && !is_relative(first) ? kFrequentWords[first].code : std::string_view();
  }

 private:
  // Returns whether a text is in a language that is not in the table, but has words of several that
  // are: these explain more of its frequent words together than the best of them does.
  bool is_relative(std::size_t best) const {
    constexpr std::size_t kWordsMin = 50;
    if (words_ < kWordsMin) return false;
    std::uint32_t next = 0;  // the words of another language
    for (std::size_t i = 0; i < kLanguages; ++i) {
      const bool is_other = i != best && kFrequentWords[i].script == kFrequentWords[best].script;
      if (is_other) next = std::max(next, found_[i]);
    }
    const double share = static_cast<double>(found_[best]) / std::max<std::uint32_t>(known_, 1);
    return share < 0.65 || (share < 0.83 && next > 0.8 * found_[best]);
  }

  // What many languages have says little about each.
  using Scores = std::array<double, kLanguages>;
  void add_word(LanguageSet languages) {
    if (languages == 0) return;
    ++known_;
    for (LanguageSet rest = languages; rest != 0; rest &= rest - 1) {
      ++found_[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    add(languages, 1, by_words_);
  }
  static void add(LanguageSet languages, double weight, Scores& scores) {
    if (languages == 0) return;
    const double share = weight / std::popcount(languages);
    for (LanguageSet rest = languages; rest != 0; rest &= rest - 1) {
      scores[static_cast<std::size_t>(std::countr_zero(rest))] += share;
    }
  }

  Scores by_words_ = {};
  Scores by_letters_ = {};
  std::array<std::uint32_t, kLanguages> found_ = {};  // frequent words of each language
  std::uint32_t known_ = 0;                           // frequent words of any
  std::size_t words_ = 0;
  std::string word_;
  const WordTable& table_ = word_table();
};

// How many letters there are of each script.
struct ScriptCounts {
  std::array<std::size_t, 4> shared = {};  // by Script
  std::array<std::size_t, kOwnScripts.size()> own = {};
  std::array<std::size_t, kOwnScripts.size()> of_others = {};  // of these, letters of others
  std::size_t han = 0;
  std::size_t kana = 0;

  void add(char32_t c) {
    if (c < 0x80) {
      if (!is_in(c, '0', '9')) ++shared[0];
      return;
    }
    if (is_han(c)) ++han;
    if (is_kana(c)) ++kana;
    if (const Script script = script_of(c); script != Script::other) {
      ++shared[static_cast<std::size_t>(script)];
      return;
    }
    for (std::size_t i = 0; i < kOwnScripts.size(); ++i) {
      const OwnScript& script = kOwnScripts[i];
      if (!is_in(c, script.first, script.last)) continue;
      ++own[i];
      if (is_in(c, script.first_of_others, script.last_of_others)) ++of_others[i];
    }
  }
};

}  // namespace

std::string_view detect_language(std::string_view text) {
  ScriptCounts counts;
  Evidence evidence;
  // A character that the bound cuts is not a letter.
  text = text.substr(0, kLanguageBytesMax);
  for (std::size_t at = 0; at < text.size();) {
    if (const auto byte = static_cast<unsigned char>(text[at]);
        byte < 0x80 && !evidence.is_in_word()) {
      if (!kIsAsciiWord[byte]) {
        ++at;
        continue;
      }
      const std::size_t end = ascii_word_end(text, at);
      const bool is_whole = end == text.size() || static_cast<unsigned char>(text[end]) < 0x80;
      if (is_whole) {
        counts.shared[0] += evidence.add_ascii_word(text.substr(at), end - at);
        at = end;
        continue;
      }
    }
    const auto [c, bytes] = character_at(text, at);
    at += bytes;
    if (!is_of_word(c) || c == 0xFFFD) {
      evidence.end_word();
      continue;
    }
    counts.add(c);
    evidence.add_character(to_lower_case(c));
  }
  evidence.end_word();
  // Other scripts have fewer letters per word than Latin, whose words also occur in their texts.
  constexpr std::size_t kLettersMin = 8;
  const std::size_t latin = counts.shared[0] / 4;
  const auto own = std::ranges::max_element(counts.own);
  const std::size_t chinese = counts.han + counts.kana;
  const auto shared = std::max_element(counts.shared.begin() + 1, counts.shared.end());
  const std::size_t most = std::max({latin, *own, chinese, *shared});
  if (most == latin) return evidence.best(Script::latin);
  if (most < kLettersMin) return {};
  if (most == *own) {
    const auto script = static_cast<std::size_t>(own - counts.own.begin());
    return counts.of_others[script] * 100 > most ? std::string_view() : kOwnScripts[script].code;
  }
  if (most == chinese) return counts.kana * 20 >= chinese ? "ja" : "zh";
  return evidence.best(static_cast<Script>(shared - counts.shared.begin()));
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool is_inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, bytes] = character_at(text, at);
    at += bytes;
    const bool is_sign = is_han(c) || is_kana(c);
    const bool is_letter = is_of_word(c) || (is_inside && (c == '\'' || c == 0x2019));
    if (is_letter && (is_sign || !is_inside)) ++words;
    is_inside = is_letter && !is_sign;
  }
  return words;
}

}  // namespace gossamer::content

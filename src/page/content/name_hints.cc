#include "content/name_hints.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace gossamer::content {
namespace {

constexpr std::size_t kNameBytesMax = 512;

enum Meaning : std::uint8_t {
  kContent = 1,    // the text of a page may be in it
  kExtra = 2,      // hardly ever part of the text
  kWeak = 4,       // part of the text only if it is large
  kComment = 8,    // by readers
  kPositive = 16,  // for scores
  kNegative = 32,
};

struct Hint {
  std::string_view text;
  std::uint8_t meaning;
};

// Beginnings of words. Sorted by their first letter; see kFirst.
constexpr auto kParts = std::to_array<Hint>({
    {"advert", kExtra | kNegative},
    {"affiliate", kWeak | kNegative},
    {"agegate", kExtra},
    {"article", kContent | kPositive},
    {"artikel", kContent | kPositive},
    {"banner", kExtra | kNegative},
    {"blog", kPositive},
    {"body", kContent | kPositive},
    {"breadcrumb", kExtra},
    {"byline", kWeak},
    {"caption", kWeak},
    {"column", kContent},
    {"combx", kExtra | kNegative},
    {"comment", kExtra | kComment | kNegative},
    {"community", kExtra},
    {"contact", kNegative},
    {"content", kContent | kPositive},
    {"cookie", kExtra},
    {"copyright", kWeak},
    {"disclaimer", kWeak},
    {"disqus", kExtra | kComment},
    {"entry", kPositive},
    {"facebook", kWeak},
    {"footer", kExtra | kNegative},
    {"footnote", kNegative},
    {"gdpr", kExtra},
    {"inhalt", kContent | kPositive},
    {"kommentar", kExtra | kComment},
    {"main", kContent | kPositive},
    {"masthead", kNegative},
    {"menu", kExtra},
    {"newsletter", kExtra},
    {"noprint", kWeak},
    {"outbrain", kExtra | kNegative},
    {"pager", kExtra},
    {"pagination", kExtra},
    {"paywall", kWeak},
    {"popup", kExtra},
    {"post", kPositive},
    {"promo", kWeak | kNegative},
    {"recommend", kExtra},
    {"replies", kExtra | kComment},
    {"respond", kExtra | kComment},
    {"scroll", kNegative},
    {"shoutbox", kExtra},
    {"sidebar", kExtra | kNegative},
    {"signup", kExtra},
    {"skyscraper", kExtra},
    {"sociable", kExtra},
    {"social", kExtra},
    {"sponsor", kExtra | kNegative},
    {"story", kPositive},
    {"subscri", kExtra},
    {"supplemental", kExtra},
    {"taboola", kExtra | kNegative},
    {"teaser", kWeak | kNegative},
    {"text", kPositive},
    {"toolbar", kExtra},
    {"tooltip", kExtra},
    {"trending", kExtra},
    {"twitter", kWeak},
});

// Whole words.
constexpr auto kWords = std::to_array<Hint>({
    {"ad", kExtra},
    {"ads", kExtra},
    {"also", kWeak},
    {"author", kWeak},
    {"autor", kWeak},
    {"bio", kWeak},
    {"categories", kWeak},
    {"category", kWeak},
    {"com", kNegative},
    {"credit", kWeak},
    {"credits", kWeak},
    {"date", kWeak},
    {"extra", kExtra},
    {"foot", kNegative},
    {"header", kExtra},
    {"hid", kNegative},
    {"info", kWeak},
    {"infos", kWeak},
    {"login", kExtra},
    {"meta", kWeak | kNegative},
    {"metadata", kWeak},
    {"modal", kExtra},
    {"more", kWeak},
    {"nav", kExtra},
    {"navbar", kExtra},
    {"navi", kExtra},
    {"navigation", kExtra},
    {"next", kWeak},
    {"page", kPositive},
    {"print", kWeak},
    {"rating", kWeak},
    {"recirc", kExtra},
    {"related", kExtra | kNegative},
    {"remark", kExtra | kComment},
    {"remarks", kExtra | kComment},
    {"rss", kExtra},
    {"search", kWeak},
    {"shadow", kContent},
    {"share", kExtra},
    {"sharebar", kExtra},
    {"sharebuttons", kExtra},
    {"sharethis", kExtra},
    {"sharing", kExtra},
    {"shopping", kNegative},
    {"tag", kWeak},
    {"tags", kWeak | kNegative},
    {"timestamp", kWeak},
    {"toc", kWeak},
    {"tool", kNegative},
    {"tools", kWeak},
    {"widget", kWeak | kNegative},
    {"widgets", kWeak | kNegative},
});

struct Range {
  std::uint8_t begin = 0;
  std::uint8_t end = 0;
};

// The hints that begin with each letter.
template <std::size_t kCount>
constexpr std::array<Range, 26> first_letters(const std::array<Hint, kCount>& hints) {
  std::array<Range, 26> ranges = {};
  for (std::size_t i = 0; i < kCount; ++i) {
    Range& range = ranges[static_cast<std::size_t>(hints[i].text[0] - 'a')];
    if (range.end == 0) range.begin = static_cast<std::uint8_t>(i);
    range.end = static_cast<std::uint8_t>(i + 1);
  }
  return ranges;
}
constexpr auto kFirstOfParts = first_letters(kParts);
constexpr auto kFirstOfWords = first_letters(kWords);
static_assert(std::ranges::is_sorted(kParts, {}, [](const Hint& hint) { return hint.text[0]; }));
static_assert(std::ranges::is_sorted(kWords, {}, [](const Hint& hint) { return hint.text[0]; }));

// The second characters of the hints that begin with each letter, as a set of bits. Few pairs of
// letters begin a hint, so most places in a name need no other test.
constexpr std::uint32_t second_bit(char c) {
  return std::uint32_t{1} << (c >= 'a' && c <= 'z' ? c - 'a' : 26);
}
constexpr auto kSecondLetters = [] {
  std::array<std::uint32_t, 26> letters = {};
  const auto add = [&letters](const Hint& hint) {
    letters[static_cast<std::size_t>(hint.text[0] - 'a')] |= second_bit(hint.text[1]);
  };
  std::ranges::for_each(kParts, add);
  std::ranges::for_each(kWords, add);
  return letters;
}();

// Most words differ in their second letter, which is cheaper to compare than all.
bool begins_with(std::string_view text, std::string_view hint) {
  return text.size() >= hint.size() && text[1] == hint[1] && text.starts_with(hint);
}

bool is_word_start(std::string_view name, std::size_t at) {
  if (at == 0 || !base::is_letter(name[at - 1])) return true;
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  return is_upper(name[at]) && !is_upper(name[at - 1]);
}

// Returns whether one of the words between spaces hides an element from sight.
bool is_hiding(std::string_view names) {
  constexpr auto kHiding = std::to_array<std::string_view>(
      {"hidden", "hide", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"});
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (std::ranges::count(kHiding, names.substr(0, end)) > 0) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

// Returns all meanings of a name.
std::uint8_t meanings_of(std::string_view name) {
  std::uint8_t found = is_hiding(name) ? kExtra | kNegative : 0;
  // A page builder calls every paragraph a widget.
  if (name.contains("elementor")) return found;
  std::string lower = base::lower_case(name);
  // Hints have two characters at least.
  for (std::size_t at = 0; at + 1 < lower.size(); ++at) {
    const char c = lower[at];
    if (c < 'a' || c > 'z') continue;
    if ((kSecondLetters[static_cast<std::size_t>(c - 'a')] & second_bit(lower[at + 1])) == 0) {
      continue;
    }
    const std::string_view rest = std::string_view(lower).substr(at);
    if (!is_word_start(name, at)) continue;
    const Range parts = kFirstOfParts[static_cast<std::size_t>(c - 'a')];
    for (std::size_t i = parts.begin; i < parts.end; ++i) {
      if (begins_with(rest, kParts[i].text)) found |= kParts[i].meaning;
    }
    const Range words = kFirstOfWords[static_cast<std::size_t>(c - 'a')];
    for (std::size_t i = words.begin; i < words.end; ++i) {
      const std::string_view word = kWords[i].text;
      if (!begins_with(rest, word)) continue;
      const bool is_whole = rest.size() == word.size() || !base::is_letter(rest[word.size()]) ||
                            is_word_start(name, at + word.size());
      if (is_whole) found |= kWords[i].meaning;
    }
  }
  return found;
}

int weight_of(std::uint8_t meanings) {
  return ((meanings & kPositive) != 0 ? 25 : 0) - ((meanings & kNegative) != 0 ? 25 : 0);
}

}  // namespace

void NameReader::add_hints(std::string_view name, NameHints& hints) {
  if (name.empty()) return;
  name = name.substr(0, kNameBytesMax);
  // A wrong place costs a second reading, so a poor hash will do.
  std::uint64_t ends = name.size();
  for (const std::size_t at : {std::size_t{0}, name.size() / 2, name.size() - 1}) {
    ends = (ends + static_cast<unsigned char>(name[at])) * 0x9E3779B97F4A7C15;
  }
  Known& known = known_[ends >> 58];
  if (known.name != name) known = {name, meanings_of(name)};
  const std::uint8_t meanings = known.meanings;
  hints.is_content = hints.is_content || (meanings & kContent) != 0;
  hints.is_extra = hints.is_extra || (meanings & kExtra) != 0;
  hints.is_weak = hints.is_weak || (meanings & kWeak) != 0;
  hints.is_comment = hints.is_comment || (meanings & kComment) != 0;
  hints.weight += weight_of(meanings);
}

}  // namespace gossamer::content

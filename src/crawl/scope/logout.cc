#include "scope/logout.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "url/percent.h"

namespace gossamer::crawler {
namespace {

// In lower case, as UTF-8. A phrase is several words separated by blanks.
constexpr auto kPhrases = std::to_array<std::string_view>({
    "logout",
    "log out",
    "logoff",
    "log off",
    "signout",
    "sign out",
    "signoff",
    "sign off",
    // German, Dutch, Scandinavian
    "abmelden",
    "ausloggen",
    "afmelden",
    "uitloggen",
    "logga ut",
    "loggaut",
    "logg ut",
    "log ud",
    // French, Spanish, Portuguese, Italian, with and without their accents
    "deconnexion",
    "d\xC3\xA9"
    "connexion",
    "se deconnecter",
    "se d\xC3\xA9"
    "connecter",
    "cerrar sesion",
    "cerrar sesi\xC3\xB3n",
    "terminar sessao",
    "terminar sess\xC3\xA3o",
    "esci",
    // Polish, Russian
    "wyloguj",
    "wyloguj sie",
    "\xD0\x92\xD1\x8B\xD0\xB9\xD1\x82\xD0\xB8",
    "\xD0\x92\xD1\x8B\xD1\x85\xD0\xBE\xD0\xB4",
});

// BOUND: longer text is not the name of a link.
constexpr std::size_t kTextBytesMax = 80;
constexpr std::size_t kWordsMax = 4;

enum class WordKind { separator, lower, upper };

WordKind word_kind_of(char c) {
  if (c >= 'A' && c <= 'Z') return WordKind::upper;
  const auto byte = static_cast<unsigned char>(c);
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || byte >= 0x80;
  return is_letter ? WordKind::lower : WordKind::separator;
}

// Splits UserLogOff and user_log-off into user, log, off; bytes beyond ASCII are letters.
std::vector<std::string> words_of(std::string_view text, bool splits_camel_case) {
  std::vector<std::string> words;
  WordKind before = WordKind::separator;
  for (const char c : text) {
    const WordKind kind = word_kind_of(c);
    const bool begins =
        kind != WordKind::separator &&
        (before == WordKind::separator ||
         (splits_camel_case && kind == WordKind::upper && before == WordKind::lower));
    if (begins) words.emplace_back();
    if (kind != WordKind::separator) words.back() += base::to_lower(c);
    before = kind;
  }
  return words;
}

// True if the words begin or end with the phrase.
bool is_at_an_end(std::span<const std::string> words, std::string_view phrase,
                  bool may_begin_else) {
  const auto wanted = words_of(phrase, false);
  if (words.size() < wanted.size()) return false;
  if (std::ranges::equal(words.first(wanted.size()), wanted)) return true;
  return may_begin_else && std::ranges::equal(words.last(wanted.size()), wanted);
}

bool is_about_logout(std::string_view text) {
  const std::vector<std::string> words = words_of(text, true);
  return std::ranges::any_of(
      kPhrases, [&words](std::string_view phrase) { return is_at_an_end(words, phrase, true); });
}

// Removes .php and similar endings, so that the word before it is the last.
std::string_view stem_of_segment(std::string_view segment) {
  const std::size_t dot = segment.rfind('.');
  const bool is_extension = dot != std::string_view::npos && segment.size() - dot <= 6;
  return is_extension ? segment.substr(0, dot) : segment;
}

// Calls judge(part) for each part between separators. Returns whether it was true for one.
template <class Judge>
bool any_part(std::string_view text, std::string_view separators, Judge judge) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at && judge(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

bool leads_to_logout(const url::Url& url) {
  const auto judge = [](std::string_view part) {
    if (part.size() > kTextBytesMax) return false;
    return is_about_logout(stem_of_segment(url::percent_decoded(part)));
  };
  std::string_view query = url.search();
  if (!query.empty()) query.remove_prefix(1);
  return any_part(url.pathname(), "/;", judge) || any_part(query, "&=;/", judge);
}

bool says_logout(std::string_view anchor_text) {
  if (anchor_text.empty() || anchor_text.size() > kTextBytesMax) return false;
  const std::vector<std::string> words = words_of(anchor_text, false);
  if (words.size() > kWordsMax) return false;
  return std::ranges::any_of(
      kPhrases, [&words](std::string_view phrase) { return is_at_an_end(words, phrase, false); });
}

}  // namespace gossamer::crawler

#include "content/person_name.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "content/date_text.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

constexpr std::size_t kPersonBytesMax = 80;
constexpr std::size_t kListBytesMax = 200;
constexpr std::size_t kNameWordsMax = 10;

constexpr auto kAuthorLabels = std::to_array<std::string_view>(
    {"written by",     "posted by",   "words by",   "story by",       "article by",
     "text by",        "authored by", "created by", "started by",     "submitted by",
     "contributed by", "asked by",    "post by",    "thread starter", "topic author",
     "author(s)",      "authors",     "author",     "writer",         "by"});

// In bylines only: a stated name may begin with them.
constexpr auto kBylineLabels = std::to_array<std::string_view>({"von", "par", "por"});

// What programs and themes write where nobody gave a name, and what is next to names.
constexpr auto kNoNames = std::to_array<std::string_view>({"admin",
                                                           "administrator",
                                                           "webmaster",
                                                           "undefined",
                                                           "null",
                                                           "none",
                                                           "name",
                                                           "author",
                                                           "guest",
                                                           "guest author",
                                                           "anonymous",
                                                           "editor",
                                                           "staff",
                                                           "user",
                                                           "unknown",
                                                           "view more posts",
                                                           "view all posts",
                                                           "read more",
                                                           "follow",
                                                           "share",
                                                           "contributor",
                                                           "contributors",
                                                           "root",
                                                           "test",
                                                           "about the author",
                                                           "about",
                                                           "profile",
                                                           "posts",
                                                           "articles",
                                                           "view profile",
                                                           "bio",
                                                           "view all",
                                                           "home",
                                                           "all posts",
                                                           "editorial",
                                                           "contact",
                                                           "log in",
                                                           "sign in",
                                                           "register",
                                                           "sign up",
                                                           "published",
                                                           "updated",
                                                           "review",
                                                           "reviews",
                                                           "shop all",
                                                           "or",
                                                           "and",
                                                           "guide"});

// What is after one of these is not the name.
constexpr auto kNameEnds = std::to_array<std::string_view>(
    {" | ", " \u00B7 ", " \u2022 ", " \u2013 ", " \u2014 ", " - ", "Updated", "Published"});

bool is_letter_or_more(char c) {
  return html::is_ascii_letter(static_cast<unsigned char>(c)) || static_cast<signed char>(c) < 0;
}

bool is_capital(char c) { return (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0; }

std::string_view without_signs(std::string_view name) {
  constexpr std::string_view kSigns = " ,;:|-*@";
  constexpr auto kWideSigns =
      std::to_array<std::string_view>({"\u00B7", "\u2022", "\u2013", "\u2014", "\u00A0", "\u200B"});
  for (std::size_t before = 0; before != name.size();) {
    before = name.size();
    while (!name.empty() && kSigns.contains(name.front())) name.remove_prefix(1);
    while (!name.empty() && kSigns.contains(name.back())) name.remove_suffix(1);
    for (const std::string_view sign : kWideSigns) {
      if (name.starts_with(sign)) name.remove_prefix(sign.size());
      if (name.ends_with(sign)) name.remove_suffix(sign.size());
    }
  }
  return name;
}

// "Ann Bee on May 6": where " on " begins, else the end.
std::size_t end_before_date(std::string_view text) {
  const std::size_t at = text.find(" on ");
  if (at == std::string_view::npos || at + 4 >= text.size()) return text.size();
  const char next = text[at + 4];
  return (next >= 'A' && next <= 'Z') || html::is_ascii_digit(next) ? at : text.size();
}

std::vector<std::string_view> name_words(std::string_view name) {
  std::vector<std::string_view> words;
  html::for_each_word(name, [&](std::string_view word) { words.push_back(word); });
  return words;
}

std::size_t label_bytes(std::string_view text, std::span<const std::string_view> labels) {
  for (const std::string_view label : labels) {
    if (!html::starts_ignoring_case(text, label)) continue;
    std::size_t end = label.size();
    if (end < text.size() && (is_letter_or_more(text[end]) || html::is_ascii_digit(text[end])) &&
        !text.substr(end).starts_with("\u00A0")) {
      continue;
    }
    constexpr std::string_view kSpaces = " :\xC2\xA0";
    while (end < text.size() && kSpaces.contains(text[end])) ++end;
    return end;
  }
  return 0;
}

}  // namespace

std::size_t author_label_bytes(std::string_view text) {
  const std::size_t bytes = label_bytes(text, kAuthorLabels);
  return bytes > 0 ? bytes : label_bytes(text, kBylineLabels);
}

std::string author_name(std::string_view text) {
  std::string name;
  html::append_collapsed(name, html::trimmed(text.substr(0, 2 * kListBytesMax)));
  std::string_view rest = name;
  rest.remove_prefix(label_bytes(rest, kAuthorLabels));
  for (const std::string_view end : kNameEnds) rest = rest.substr(0, rest.find(end));
  rest = rest.substr(0, end_before_date(rest));
  std::string found(without_signs(rest));
  if (found.size() > kListBytesMax) {
    html::cut_utf8(found, kListBytesMax);
    found.resize(std::min(found.rfind(", "), found.size()));
  }
  return found;
}

bool is_author_name(std::string_view name) {
  if (name.empty() || name.size() > kListBytesMax) return false;
  const std::string lower = html::lower_case(name);
  if (std::ranges::count(kNoNames, lower) > 0) return false;
  if (lower.contains("://") || lower.starts_with("www.") || name.contains('{')) return false;
  if (std::ranges::none_of(name, is_letter_or_more)) return false;
  // A name in a template: "page.head.author".
  if (!name.contains(' ') && std::ranges::count(name, '.') > 1) return false;
  return dates_in(name).empty();
}

bool is_name_of_person(std::string_view name) {
  if (!is_author_name(name) || name.size() > kPersonBytesMax) return false;
  const std::string lower = html::lower_case(name);
  for (const std::string_view sign : {"min read", "minute", "comment", "cookie", " ago"}) {
    if (lower.contains(sign)) return false;
  }
  if (name.ends_with('?') || name.ends_with('!')) return false;
  const std::vector<std::string_view> words = name_words(name);
  if (words.size() == 1) return true;
  if (words.empty() || words.size() > kNameWordsMax || name.ends_with('.')) return false;
  const auto capitals = static_cast<std::size_t>(
      std::ranges::count_if(words, [](std::string_view word) { return is_capital(word[0]); }));
  return is_capital(words[0][0]) && 2 * capitals >= words.size();
}

}  // namespace gossamer::content

#include "content/headline.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

using Words = std::vector<std::string>;

// BOUND: words of a title or a heading that are compared.
constexpr std::size_t kHeadlineWordsMax = 64;
// The least share of words in common with the title that makes a heading the headline. Fewer are
// chance.
constexpr double kLikenessMin = 0.3;

Words words_of_title(std::string_view text) {
  Words words;
  bool is_inside = false;
  while (!text.empty()) {
    const base::Utf8Sequence next = base::decode_utf8(text);
    text.remove_prefix(std::max<std::size_t>(next.length, 1));
    const auto c = static_cast<UChar32>(next.code_point);
    if (next.length == 0 || u_isalnum(c) == 0) {
      is_inside = false;
      continue;
    }
    if (!is_inside) {
      if (words.size() == kHeadlineWordsMax) break;
      words.emplace_back();
    }
    is_inside = true;
    base::append_utf8(words.back(), static_cast<char32_t>(u_tolower(c)));
  }
  return words;
}

// Returns whether some words follow each other in a text.
bool has_run(const Words& text, const Words& run) {
  return !run.empty() && !std::ranges::search(text, run).empty();
}

double likeness(Words a, Words b) {
  for (Words* const words : {&a, &b}) {
    std::ranges::sort(*words);
    words->erase(std::ranges::unique(*words).begin(), words->end());
  }
  Words both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  const std::size_t all = a.size() + b.size() - both.size();
  return all == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(all);
}

// Where a title is divided: "Kettles | Shop", "Kettles - Shop".
struct Division {
  std::size_t begin;
  std::size_t end;
};

std::vector<Division> divisions_of(std::string_view title) {
  constexpr auto kSigns = std::to_array<std::string_view>(
      {"|", " - ", " \u2013 ", " \u2014 ", " \u2022 ", " \u00B7 ", " \u00AB ", " \u00BB ", " :: "});
  std::vector<Division> divisions;
  for (std::size_t at = 0; at < title.size(); ++at) {
    const auto sign = std::ranges::find_if(
        kSigns, [&](std::string_view one) { return title.substr(at).starts_with(one); });
    if (sign == kSigns.end()) continue;
    divisions.push_back({at, at + sign->size()});
    at += sign->size() - 1;
  }
  return divisions;
}

// Returns the title without its last part, or without the first one if that is the site.
std::string_view without_site(std::string_view title, const Words& site) {
  const std::vector<Division> divisions = divisions_of(title);
  if (divisions.empty()) return title;
  const std::string_view first = title.substr(0, divisions.front().begin);
  const std::string_view last = title.substr(divisions.back().end);
  const bool is_site_last = has_run(words_of_title(last), site);
  if (!is_site_last && !site.empty() && words_of_title(first) == site) {
    return html::trimmed(title.substr(divisions.front().end));
  }
  return html::trimmed(title.substr(0, divisions.back().begin));
}

class HeadlineSearch {
 public:
  HeadlineSearch(const std::vector<std::string>& titles, std::string_view site)
      : site_(words_of_title(site)) {
    for (const std::string& title : titles) {
      titles_.push_back(words_of_title(title));
      short_titles_.push_back(words_of_title(without_site(title, site_)));
    }
  }

  // Returns the first heading that the titles name, else the first one that resembles one of them.
  const PageHeading* find(const std::vector<PageHeading>& headings, bool is_top) const {
    for (const auto test : {&HeadlineSearch::is_named, &HeadlineSearch::is_alike}) {
      for (const PageHeading& heading : headings) {
        if (heading.is_top != is_top) continue;
        const Words words = words_of_title(heading.text);
        if (!words.empty() && (this->*test)(words)) return &heading;
      }
    }
    return nullptr;
  }
  // Returns the first title without the site.
  std::string short_title(const std::vector<std::string>& titles) const {
    for (const std::string& title : titles) {
      if (!title.empty()) return std::string(without_site(title, site_));
    }
    return {};
  }

 private:
  // Returns whether the titles have the words of the heading, and not as the name of the site.
  bool is_named(const Words& heading) const {
    if (heading == site_) return false;
    if (std::ranges::count(titles_, heading) > 0) return true;
    const auto has_it = [&](const Words& title) { return has_run(title, heading); };
    const auto ends_with_it = [&](const Words& title) {
      return title.size() >= heading.size() &&
             std::equal(heading.rbegin(), heading.rend(), title.rbegin());
    };
    return std::ranges::any_of(titles_, has_it) && std::ranges::none_of(titles_, ends_with_it);
  }
  bool is_alike(const Words& heading) const {
    return std::ranges::any_of(short_titles_, [&](const Words& title) {
      return likeness(title, heading) >= kLikenessMin;
    });
  }

  const Words site_;
  std::vector<Words> titles_;
  std::vector<Words> short_titles_;  // without the site
};

}  // namespace

Headline find_headline(const std::vector<PageHeading>& headings,
                       const std::vector<std::string>& titles, std::string_view site) {
  const HeadlineSearch search(titles, site);
  if (const PageHeading* const top = search.find(headings, true)) return {top->text, top->element};
  Headline headline = {.text = search.short_title(titles)};
  const PageHeading* anchor = search.find(headings, false);
  if (anchor == nullptr) {
    const auto first = std::ranges::find_if(
        headings, [](const PageHeading& one) { return one.is_top && !one.text.empty(); });
    if (first != headings.end()) anchor = &*first;
  }
  if (anchor != nullptr) headline.element = anchor->element;
  if (headline.text.empty() && anchor != nullptr) headline.text = anchor->text;
  return headline;
}

}  // namespace gossamer::content

#include "content/byline.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "content/element_text.h"
#include "content/person_name.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

using html::AttributeId;
using html::TagId;

constexpr std::ptrdiff_t kDateBytesAfter = 800;
constexpr std::ptrdiff_t kAuthorBytesAfter = 500;
// Longer texts are sentences.
constexpr std::size_t kBylineTextMax = 100;
// How far a list of news is searched for older days.
constexpr std::ptrdiff_t kFallingBytes = 1500;
// BOUND: elements around a text whose names are read, and the bytes of a name.
constexpr std::size_t kBylineLevels = 4;
constexpr std::size_t kElementNameMax = 300;

constexpr auto kAuthorWords = std::to_array<std::string_view>(
    {"author", "authors", "byline", "bylines", "username", "writer", "writers", "poster",
     "contributor", "contributors", "authorname", "postedby"});
constexpr auto kOtherWords = std::to_array<std::string_view>(
    {"avatar",   "bio",   "image",  "photo", "img",  "social", "share",       "comment",
     "comments", "date",  "time",   "title", "job",  "role",   "description", "related",
     "follow",   "label", "prefix", "count", "link", "links",  "position",    "caption"});
// The day of something else.
constexpr auto kOtherDays = std::to_array<std::string_view>(
    {"join", "regist", "member", "since", "expir", "ends ", "valid", "until"});
constexpr auto kChangeWords =
    std::to_array<std::string_view>({"updat", "modif", "revis", "edited", "aktualis"});

// A text, and where it is.
struct BylineText {
  std::string text;  // collapsed and trimmed
  const dom::Node* node = nullptr;
  std::ptrdiff_t offset = 0;  // bytes of text after the beginning of the headline
  bool is_in_headline = false;
};

template <std::size_t kCount>
bool has_any(std::string_view lower, const std::array<std::string_view, kCount>& parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return lower.contains(part); });
}

// The class and the id.
std::string names_of(const dom::Node& element) {
  std::string names;
  for (const std::string_view attribute : {"class", "id"}) {
    const dom::Attribute* const found = element.find(attribute);
    if (found != nullptr) names += found->value().substr(0, kElementNameMax);
    names += ' ';
  }
  return names;
}

// Returns whether one of the words is in names: "post-author", "authorName", "post__author".
template <std::size_t kCount>
bool has_name(std::string_view names, const std::array<std::string_view, kCount>& words) {
  std::string word;
  bool was_small = false;
  for (std::size_t i = 0; i <= names.size(); ++i) {
    const char c = i < names.size() ? names[i] : ' ';
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (!html::is_ascii_letter(c) || (is_capital && was_small)) {
      if (std::ranges::count(words, std::string_view(word)) > 0) return true;
      word.clear();
    }
    if (html::is_ascii_letter(c)) word += html::to_lower(c);
    was_small = html::is_ascii_letter(c) && !is_capital;
  }
  return false;
}

// The end of a short text, which may say what the next one is. A date says nothing about it.
std::string label_in(std::string_view text) {
  constexpr std::size_t kLabelMax = 40;
  constexpr std::size_t kLabelEnd = 20;
  if (text.size() >= kLabelMax || !dates_in(text).empty()) return {};
  return html::lower_case(text.substr(text.size() - std::min(text.size(), kLabelEnd)));
}

class BylineSearch {
 public:
  BylineSearch(const dom::Document& document, const dom::Node& headline, NumberOrder order)
      : order_(order) {
    collect(document, headline);
  }
  Byline run() {
    find_day();
    if (!found_.has_falling_days) find_author();
    return found_;
  }

 private:
  struct Seen {
    std::string day;
    std::ptrdiff_t offset;
    bool is_change;
  };

  void collect(const dom::Document& document, const dom::Node& headline);
  void find_day();
  std::vector<Seen> days_at(std::size_t i) const;
  void find_author();
  std::string author_after_label(std::size_t i) const;
  std::string author_by_markup(const BylineText& text) const;

  const NumberOrder order_;
  std::vector<BylineText> texts_;
  Byline found_;
};

void BylineSearch::collect(const dom::Document& document, const dom::Node& headline) {
  const dom::Node& root = document.root();
  std::ptrdiff_t offset = 0;
  std::optional<std::ptrdiff_t> begin;
  const dom::Node* const after_headline = dom::next_after(root, headline);
  bool is_inside = false;
  for (const dom::Node* node = &root; node != nullptr;) {
    const bool is_hidden = node->is(TagId::script) || node->is(TagId::style) ||
                           node->is(TagId::head) || is_empty_noscript(*node);
    if (node == &headline) begin = offset;
    is_inside = (is_inside || node == &headline) && node != after_headline;
    if (begin && offset > *begin + static_cast<std::ptrdiff_t>(kBylineBytesAfter)) break;
    if (node->is_text() && !html::trimmed(node->text()).empty()) {
      texts_.push_back({.text = {}, .node = node, .offset = offset, .is_in_headline = is_inside});
      offset += static_cast<std::ptrdiff_t>(node->text().size());
    }
    node = is_hidden ? dom::next_after(root, *node) : dom::next_in(root, *node);
  }
  std::erase_if(texts_, [&](const BylineText& one) {
    return !begin || one.offset < *begin - static_cast<std::ptrdiff_t>(kBylineBytesBefore);
  });
  for (BylineText& one : texts_) {
    one.offset -= *begin;
    html::append_collapsed(one.text, html::trimmed(one.node->text().substr(0, 2048)));
  }
}

// Returns the days that a text shows, or that a <time> around it has.
std::vector<BylineSearch::Seen> BylineSearch::days_at(std::size_t i) const {
  const BylineText& one = texts_[i];
  if (one.text.size() > kBylineTextMax) return {};
  const dom::Node& element = *one.node->parent();
  const std::string names = html::lower_case(names_of(element));
  const std::string label = i > 0 ? label_in(texts_[i - 1].text) : std::string();
  if (has_any(label + " " + html::lower_case(one.text) + " " + names, kOtherDays)) return {};
  std::vector<DateInText> days = dates_in(one.text, order_);
  if (days.empty()) {
    if (const dom::Attribute* const time = element.find("datetime")) {
      days = dates_in(time->value().substr(0, kBylineTextMax), order_);
    }
  }
  std::vector<Seen> seen;
  for (DateInText& day : days) {
    const std::string head = html::lower_case(one.text.substr(0, day.begin));
    const bool is_change = has_any(label + " " + head + " " + names, kChangeWords);
    seen.push_back({std::move(day.day), one.offset, is_change});
  }
  return seen;
}

void BylineSearch::find_day() {
  std::vector<Seen> all;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    for (Seen& one : days_at(i)) all.push_back(std::move(one));
  }
  const auto find = [&](bool is_change) {
    return std::ranges::find_if(all, [&](const Seen& one) {
      return one.is_change == is_change && one.offset <= kDateBytesAfter;
    });
  };
  auto first = find(false);
  if (first == all.end()) first = find(true);
  if (first == all.end()) return;
  found_.day = first->day;
  const auto next = std::ranges::find_if(all, [&](const Seen& one) {
    return !one.is_change && one.offset > first->offset + 30 &&
           one.offset <= first->offset + kFallingBytes;
  });
  found_.has_falling_days = next != all.end() && next->day < first->day;
}

// "By" is a text, the name is the next one. Several names are separated by commas.
std::string BylineSearch::author_after_label(std::size_t i) const {
  std::string names;
  for (std::size_t at = i + 1; at < texts_.size(); at += 2) {
    const std::string name = author_name(texts_[at].text);
    if (!is_name_of_person(name)) break;
    names += (names.empty() ? "" : ", ") + name;
    if (at + 1 >= texts_.size()) break;
    const std::string_view between = texts_[at + 1].text;
    if (between != "," && between != "and" && between != "&" && between != ", and") break;
  }
  return names;
}

std::string BylineSearch::author_by_markup(const BylineText& text) const {
  const dom::Node* element = text.node->parent();
  if (has_name(names_of(*element), kOtherWords)) return {};
  for (std::size_t level = 0; level < kBylineLevels && element != nullptr; ++level) {
    if (!element->is_element()) break;
    const bool is_marked =
        html::equals_ignoring_case(
            html::trimmed(element->value(AttributeId::rel).substr(0, kBylineTextMax)), "author") ||
        element->value(AttributeId::itemprop) == "author";
    const std::string names = names_of(*element);
    if (is_marked || (has_name(names, kAuthorWords) && !has_name(names, kOtherWords))) {
      std::string_view shown = text.text;
      if (!is_marked) shown.remove_prefix(author_label_bytes(shown));
      std::string name = author_name(shown);
      return is_name_of_person(name) ? name : std::string();
    }
    element = element->parent();
  }
  return {};
}

void BylineSearch::find_author() {
  for (std::size_t i = 0; i < texts_.size() && found_.author.empty(); ++i) {
    const BylineText& one = texts_[i];
    if (one.offset > kAuthorBytesAfter) return;
    if (one.is_in_headline || one.text.size() > kBylineTextMax) continue;
    const std::size_t label = author_label_bytes(one.text);
    const std::string_view words = std::string_view(one.text).substr(0, label);
    const bool is_sure = html::lower_case(words).contains("by") || words.contains(':');
    if (label > 0 && label == one.text.size()) {
      found_.author = author_after_label(i);
      // "Author" may be the head of a column, and the next one "Message".
      if (!is_sure && !found_.author.contains(' ')) found_.author.clear();
    } else if (label > 0 && is_sure) {
      std::string name = author_name(std::string_view(one.text).substr(label));
      if (is_name_of_person(name)) found_.author = std::move(name);
    }
    if (found_.author.empty()) found_.author = author_by_markup(one);
  }
}

}  // namespace

Byline read_byline(const dom::Document& document, const dom::Node& headline, NumberOrder order) {
  return BylineSearch(document, headline, order).run();
}

}  // namespace gossamer::content

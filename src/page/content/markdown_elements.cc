#include "content/markdown_elements.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "content/element_text.h"
#include "content/markdown_escape.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kNeverShown = {script, style,   noscript, template_, iframe,   object,
                                     embed,  applet,  button,   select,    input,    video,
                                     audio,  noembed, svg,      textarea,  noframes, option};

// Calls `use(word)` for each word of the class until it returns true, and returns whether it did.
template <class Use>
bool any_class(const dom::Node& element, Use use) {
  const dom::Attribute* const names = element.find("class");
  std::string_view rest = names == nullptr ? std::string_view() : names->value();
  constexpr std::string_view kBlanks = " \t\n\f\r";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
    if (end > 0 && use(rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// Returns the language of a word such as "language-cpp"; empty: it names none.
std::string_view language_of_word(std::string_view word) {
  for (const std::string_view prefix : {"language-", "lang-", "highlight-source-"}) {
    if (!word.starts_with(prefix)) continue;
    const std::string_view name = word.substr(prefix.size());
    const bool is_good =
        !name.empty() && name.size() <= 20 && std::ranges::all_of(name, [](char c) {
          return base::is_letter(c) || base::is_digit(c) || std::string_view("+#.-_").contains(c);
        });
    if (is_good) return name;
  }
  return {};
}

}  // namespace

bool has_class(const dom::Node& element, std::string_view word) {
  return any_class(element, [word](std::string_view each) { return each == word; });
}

bool is_code_element(const dom::Node& node) {
  return node.is(code) || node.is(tt) || node.name() == "kbd" || node.name() == "samp";
}

std::string_view code_language(const dom::Node& element) {
  std::string_view language;
  any_class(element, [&language](std::string_view word) {
    language = language_of_word(word);
    return !language.empty();
  });
  return language;
}

bool is_permalink(const dom::Node& node) {
  constexpr std::size_t kBytesMax = 16;
  constexpr auto kSigns = std::to_array<std::string_view>(
      {"#", "\u00B6", "\u00A7", "\u221E", "\u25C6", "\u2693", "\U0001F517"});
  if (!node.is(a) || !node.value(html::AttributeId::href).starts_with('#')) return false;
  std::size_t work = kBytesMax;
  const std::string text = element_text(node, kBytesMax, work).text;
  std::string_view sign = text;
  while (const std::size_t blank = blank_before(sign)) sign.remove_prefix(blank);
  while (const std::size_t blank = blank_after(sign)) sign.remove_suffix(blank);
  // How the sign is to look.
  for (const std::string_view form : {"\uFE0E", "\uFE0F"}) {
    if (sign.ends_with(form)) sign.remove_suffix(form.size());
  }
  return std::ranges::count(kSigns, sign) > 0;
}

std::optional<bool> task_of(const dom::Node& item) {
  constexpr int kNodesMax = 8;
  const dom::Node* node = item.first_child();
  for (int i = 0; i < kNodesMax && node != nullptr; ++i) {
    const bool is_blank =
        node->is_text() && node->text().find_first_not_of(" \t\n\f\r") == std::string_view::npos;
    if (node->is(input)) {
      if (node->value(html::AttributeId::type) != "checkbox") return std::nullopt;
      return node->find("checked") != nullptr;
    }
    const bool is_around =
        node->is_element() && (node->is(p) || node->is(span) || node->name() == "label");
    if (is_around) {
      node = node->first_child();
    } else if (is_blank || node->kind() == dom::Kind::comment) {
      node = node->next();
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

bool is_line_numbers(const dom::Node& node) {
  return any_class(node, [](std::string_view word) {
    return word == "linenos" || word == "linenumbers" || word == "line-numbers" ||
           word == "lineno" || word == "gutter" || word == "rouge-gutter" ||
           word == "hljs-ln-numbers";
  });
}

bool is_never_shown(const dom::Node& node) {
  if (node.space() == dom::Space::svg) return true;
  return node.space() == dom::Space::html &&
         (kNeverShown.has(node.tag()) || node.find("hidden") != nullptr);
}

}  // namespace gossamer::content

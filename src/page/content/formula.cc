#include "content/formula.h"

#include <algorithm>
#include <string_view>

#include "content/markdown_elements.h"
#include "content/mathml.h"

namespace gossamer::content {
namespace {

using html::AttributeId;

bool is_math(const dom::Node& node) {
  return node.is_element() && node.space() == dom::Space::math && node.name() == "math";
}

// Takes the work of a node. Returns false if there is none left.
bool spend(const dom::Node& node, std::size_t& work_max) {
  const std::size_t work = 1 + (node.is_text() ? node.text().size() / 16 : 0);
  if (work > work_max) return false;
  work_max -= work;
  return true;
}

// Returns the first node below `root` for which the test is true.
template <class Test>
const dom::Node* find_below(const dom::Node& root, std::size_t& work_max, Test test) {
  for (const dom::Node* node = dom::next_in(root, root); node != nullptr;
       node = dom::next_in(root, *node)) {
    if (!spend(*node, work_max)) return nullptr;
    if (test(*node)) return node;
  }
  return nullptr;
}

std::string text_below(const dom::Node& root, std::size_t& work_max) {
  std::string text;
  for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
    if (!spend(*node, work_max)) break;
    if (node->is_text()) text += node->text();
  }
  return text;
}

// TeX in one line: comments end at the ends of lines, so they are left out.
std::string as_line(std::string_view tex) {
  std::string line;
  bool is_comment = false;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    const char c = tex[at];
    if (c == '\n' || c == '\r') is_comment = false;
    if (c == '%' && (at == 0 || tex[at - 1] != '\\') && tex.substr(at).contains('\n')) {
      is_comment = true;
    }
    if (is_comment) continue;
    if (static_cast<unsigned char>(c) > ' ' && c != '\x7F') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.pop_back();
  return line;
}

// MediaWiki puts every formula in a group that makes it large.
std::string_view without_style(std::string_view tex) {
  for (const std::string_view style : {"{\\displaystyle ", "{\\textstyle "}) {
    if (!tex.starts_with(style) || !tex.ends_with('}')) continue;
    return tex.substr(style.size(), tex.size() - style.size() - 1);
  }
  return tex;
}

Formula formula(std::string_view tex, bool is_display) {
  std::string line = as_line(tex);
  return {.tex = as_line(without_style(line)), .is_display = is_display};
}

Formula formula_of_math(const dom::Node& math, std::size_t& work_max) {
  const auto says = [&math](std::string_view name, std::string_view value) {
    const dom::Attribute* const attribute = math.find(name);
    return attribute != nullptr && attribute->value() == value;
  };
  const bool is_display = says("display", "block") || says("mode", "display");
  const dom::Node* const source = find_below(math, work_max, [](const dom::Node& node) {
    return node.is_element() && node.name() == "annotation" &&
           node.value(AttributeId::encoding).contains("tex");
  });
  if (source != nullptr) return formula(text_below(*source, work_max), is_display);
  if (const dom::Attribute* const alt = math.find("alttext"); alt != nullptr) {
    return formula(alt->value(), is_display);
  }
  return formula(mathml_to_tex(math, work_max), is_display);
}

// Returns whether a script with the source of a formula follows soon.
bool is_before_source(const dom::Node& element) {
  constexpr int kSiblingsMax = 4;
  const dom::Node* node = element.next();
  for (int i = 0; i < kSiblingsMax && node != nullptr; ++i, node = node->next()) {
    if (node->is(html::TagId::script)) {
      return node->value(AttributeId::type).starts_with("math/tex");
    }
  }
  return false;
}

// Text such as "\(x\)", as scripts find it in a page.
std::optional<Formula> delimited(std::string_view text) {
  const std::string line = as_line(text);
  const std::string_view all = line;
  const auto between = [all](std::string_view begin, std::string_view end) {
    return all.size() > begin.size() + end.size() && all.starts_with(begin) && all.ends_with(end);
  };
  if (between("\\(", "\\)")) return formula(all.substr(2, all.size() - 4), false);
  if (between("\\[", "\\]") || between("$$", "$$"))
    return formula(all.substr(2, all.size() - 4), true);
  if (between("$", "$")) return formula(all.substr(1, all.size() - 2), false);
  return std::nullopt;
}

std::optional<Formula> formula_in(const dom::Node& element, std::size_t& work_max) {
  const dom::Node* const math = find_below(element, work_max, is_math);
  if (math == nullptr) return std::nullopt;
  return formula_of_math(*math, work_max);
}

// By the classes that libraries and programs use.
std::optional<Formula> formula_by_class(const dom::Node& element, std::size_t& work_max) {
  const std::string_view names = element.find("class")->value();
  if (!names.contains("ath") && !names.contains("katex") && !names.contains("mjx")) {
    return std::nullopt;
  }
  const auto is = [&element](std::string_view word) { return has_class(element, word); };
  if (is("katex")) {
    std::optional<Formula> found = formula_in(element, work_max);
    const dom::Node* const parent = element.parent();
    if (found && parent != nullptr && parent->is_element()) {
      found->is_display = found->is_display || has_class(*parent, "katex-display");
    }
    return found;
  }
  if (is("mwe-math-element")) return formula_in(element, work_max);
  const bool is_shown_math = is("MathJax_Preview") || is("MathJax") || is("MathJax_Display") ||
                             is("MathJax_SVG") || is("MathJax_SVG_Display") ||
                             is("MathJax_CHTML") || is("mjx-chtml");
  if (is_shown_math) {
    if (is_before_source(element)) return Formula();
    return formula_in(element, work_max);
  }
  if (is("math")) return delimited(text_below(element, work_max));
  return std::nullopt;
}

// By the classes that programs use, and by how MediaWiki writes its source.
bool is_picture_of_formula(const dom::Node& image, std::string_view alt) {
  return alt.starts_with("{\\displaystyle ") || alt.starts_with("{\\textstyle ") ||
         image.value(AttributeId::src).contains("/math/render/") || has_class(image, "latex") ||
         has_class(image, "tex") || has_class(image, "math");
}

}  // namespace

std::optional<Formula> formula_of(const dom::Node& element, std::size_t& work_max) {
  if (is_math(element)) return formula_of_math(element, work_max);
  if (element.space() != dom::Space::html) return std::nullopt;
  if (element.is(html::TagId::script)) {
    const std::string_view type = element.value(AttributeId::type);
    if (!type.starts_with("math/tex")) return std::nullopt;
    return formula(text_below(element, work_max), type.contains("mode=display"));
  }
  if (element.name() == "mjx-container") {
    std::optional<Formula> found = formula_in(element, work_max);
    const dom::Attribute* const display = element.find("display");
    if (found && display != nullptr && display->value() == "true") found->is_display = true;
    return found;
  }
  if (element.is(html::TagId::img)) {
    const dom::Attribute* const alt = element.find("alt");
    if (alt == nullptr || !is_picture_of_formula(element, alt->value())) return std::nullopt;
    return formula(alt->value(), false);
  }
  const bool is_named = element.is(html::TagId::span) || element.is(html::TagId::div);
  return is_named && element.find("class") != nullptr ? formula_by_class(element, work_max)
                                                      : std::nullopt;
}

}  // namespace gossamer::content

#include "content/mathml.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/ascii.h"

namespace gossamer::content {
namespace {

struct TexName {
  std::string_view text;
  std::string_view tex;
};

// Characters that TeX calls by a name, and those with a meaning in it. Others are written as they
// are.
constexpr auto kTexNames = std::to_array<TexName>({
    {"\\", "\\backslash "},
    {"{", "\\{"},
    {"}", "\\}"},
    {"#", "\\#"},
    {"$", "\\$"},
    {"%", "\\%"},
    {"&", "\\&"},
    {"_", "\\_"},
    {"\u2212", "-"},
    {"\u00B1", "\\pm "},
    {"\u00D7", "\\times "},
    {"\u22C5", "\\cdot "},
    {"\u2211", "\\sum "},
    {"\u220F", "\\prod "},
    {"\u222B", "\\int "},
    {"\u222E", "\\oint "},
    {"\u2202", "\\partial "},
    {"\u2207", "\\nabla "},
    {"\u221E", "\\infty "},
    {"\u2264", "\\le "},
    {"\u2265", "\\ge "},
    {"\u2260", "\\ne "},
    {"\u2248", "\\approx "},
    {"\u2261", "\\equiv "},
    {"\u2192", "\\to "},
    {"\u21D2", "\\Rightarrow "},
    {"\u2208", "\\in "},
    {"\u2282", "\\subset "},
    {"\u222A", "\\cup "},
    {"\u2229", "\\cap "},
    {"\u2200", "\\forall "},
    {"\u2203", "\\exists "},
    {"\u2026", "\\dots "},
    {"\u22EF", "\\cdots "},
    {"\u2032", "'"},
    {"\u2061", ""},
    {"\u2062", ""},
    {"\u2063", ""},
    {"\u2064", ""},
    {"\u200B", ""},
    {"\u00A0", " "},
    {"\u03B1", "\\alpha "},
    {"\u03B2", "\\beta "},
    {"\u03B3", "\\gamma "},
    {"\u03B4", "\\delta "},
    {"\u03B5", "\\varepsilon "},
    {"\u03B6", "\\zeta "},
    {"\u03B7", "\\eta "},
    {"\u03B8", "\\theta "},
    {"\u03BA", "\\kappa "},
    {"\u03BB", "\\lambda "},
    {"\u03BC", "\\mu "},
    {"\u03BD", "\\nu "},
    {"\u03BE", "\\xi "},
    {"\u03C0", "\\pi "},
    {"\u03C1", "\\rho "},
    {"\u03C3", "\\sigma "},
    {"\u03C4", "\\tau "},
    {"\u03C6", "\\varphi "},
    {"\u03C7", "\\chi "},
    {"\u03C8", "\\psi "},
    {"\u03C9", "\\omega "},
    {"\u0393", "\\Gamma "},
    {"\u0394", "\\Delta "},
    {"\u0398", "\\Theta "},
    {"\u039B", "\\Lambda "},
    {"\u03A3", "\\Sigma "},
    {"\u03A6", "\\Phi "},
    {"\u03A8", "\\Psi "},
    {"\u03A9", "\\Omega "},
});

constexpr auto kFunctions = std::to_array<std::string_view>(
    {"arccos", "arcsin", "arctan", "arg", "cos",  "cosh", "cot", "deg",
     "det",    "dim",    "exp",    "gcd", "inf",  "ker",  "lim", "ln",
     "log",    "max",    "min",    "sin", "sinh", "sup",  "tan", "tanh"});

// Signs over a letter.
constexpr auto kAccents = std::to_array<TexName>({
    {"^", "\\hat"},
    {"\u02C6", "\\hat"},
    {"~", "\\tilde"},
    {"\u02DC", "\\tilde"},
    {"\u00AF", "\\bar"},
    {"_", "\\bar"},
    {"\u203E", "\\overline"},
    {"\u2192", "\\vec"},
    {"\u02D9", "\\dot"},
    {"\u00A8", "\\ddot"},
});

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\f\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

class TexWriter {
 public:
  explicit TexWriter(std::size_t& work_max) : work_max_(work_max) {}

  // The depth of a tree is bounded, so it may be recursive.
  std::string tex_of(const dom::Node& node) {
    if (work_max_ == 0) return {};
    --work_max_;
    if (node.is_text()) return {};
    const std::string_view name = node.name();
    if (name == "mi" || name == "mn" || name == "mo" || name == "ms") return word_of(node, name);
    if (name == "mtext") return "\\text{" + text_of(node) + "}";
    if (name == "mspace" || name == "annotation" || name == "annotation-xml") return {};
    if (name == "msqrt") return "\\sqrt{" + row_of(node) + "}";
    if (name == "mtable") return "\\begin{matrix}" + rows_of(node) + "\\end{matrix}";
    if (name == "mfenced") return fenced(node);
    const std::vector<const dom::Node*> parts = children_of(node);
    if (parts.size() == 2) return pair_of(name, node, *parts[0], *parts[1]);
    if (parts.size() == 3 && (name == "msubsup" || name == "munderover")) {
      return base_of(*parts[0]) + "_" + group(*parts[1]) + "^" + group(*parts[2]);
    }
    return row_of(node);
  }

 private:
  std::string pair_of(std::string_view name, const dom::Node& node, const dom::Node& first,
                      const dom::Node& second) {
    if (name == "mfrac") return "\\frac" + group(first) + group(second);
    if (name == "mroot") return "\\sqrt[" + tex_of(second) + "]" + group(first);
    if (name == "msub" || name == "munder") return base_of(first) + "_" + group(second);
    if (name == "msup") return base_of(first) + "^" + group(second);
    if (name == "mover") {
      const std::string sign = text_of(second);
      for (const TexName& accent : kAccents) {
        if (sign == accent.text) return std::string(accent.tex) + group(first);
      }
      return base_of(first) + "^" + group(second);
    }
    return row_of(node);
  }
  static std::vector<const dom::Node*> children_of(const dom::Node& node) {
    std::vector<const dom::Node*> children;
    for (const dom::Node* child = node.first_child(); child != nullptr; child = child->next()) {
      if (child->is_element()) children.push_back(child);
    }
    return children;
  }
  std::string row_of(const dom::Node& node) {
    std::string tex;
    for (const dom::Node* const child : children_of(node)) tex += tex_of(*child);
    return tex;
  }
  std::string group(const dom::Node& node) { return "{" + tex_of(node) + "}"; }
  // What scripts belong to: one sign, or a group.
  std::string base_of(const dom::Node& node) {
    std::string tex = tex_of(node);
    const bool is_sign = tex.size() <= 1 || (tex.starts_with('\\') && tex.ends_with(' ') &&
                                             tex.find(' ') == tex.size() - 1);
    while (is_sign && tex.ends_with(' ')) tex.pop_back();
    return is_sign ? tex : "{" + tex + "}";
  }
  std::string rows_of(const dom::Node& table) {
    std::string tex;
    for (const dom::Node* const row : children_of(table)) {
      if (!tex.empty()) tex += "\\\\";
      bool is_first = true;
      for (const dom::Node* const cell : children_of(*row)) {
        if (!is_first) tex += "&";
        is_first = false;
        tex += tex_of(*cell);
      }
    }
    return tex;
  }
  std::string fenced(const dom::Node& node) {
    const auto mark = [&node](std::string_view name, std::string_view usual) {
      const dom::Attribute* const found = node.find(name);
      return std::string(found == nullptr ? usual : found->value());
    };
    std::string tex = "\\left" + escaped(mark("open", "("));
    bool is_first = true;
    for (const dom::Node* const child : children_of(node)) {
      if (!is_first) tex += ",";
      is_first = false;
      tex += tex_of(*child);
    }
    return tex + "\\right" + escaped(mark("close", ")"));
  }
  std::string word_of(const dom::Node& node, std::string_view name) {
    const std::string text = text_of(node);
    if (name == "mi" && text.size() > 1 && std::ranges::all_of(text, base::is_letter)) {
      if (std::ranges::count(kFunctions, text) > 0) return "\\" + text + " ";
      return "\\mathrm{" + text + "}";
    }
    return escaped(text);
  }
  static std::string escaped(std::string_view text) {
    std::string tex;
    while (!text.empty()) {
      const auto* const known = std::ranges::find_if(
          kTexNames, [text](const TexName& each) { return text.starts_with(each.text); });
      if (known == kTexNames.end()) {
        tex += text.front();
        text.remove_prefix(1);
      } else {
        tex += known->tex;
        text.remove_prefix(known->text.size());
      }
    }
    return tex;
  }
  static std::string text_of(const dom::Node& node) {
    std::string text;
    for (const dom::Node* child = node.first_child(); child != nullptr; child = child->next()) {
      if (child->is_text()) text += child->text();
    }
    return std::string(trimmed(text));
  }

  std::size_t& work_max_;
};

}  // namespace

std::string mathml_to_tex(const dom::Node& math, std::size_t& work_max) {
  return TexWriter(work_max).tex_of(math);
}

}  // namespace gossamer::content

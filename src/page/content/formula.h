// Formulas of a page, in TeX.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dom/node.h"

namespace gossamer::content {

// BOUND: the work for all formulas of a page.
constexpr std::size_t formula_work(std::size_t nodes) { return 65'536 + 2 * nodes; }

struct Formula {
  std::string tex;          // one line; empty: nothing is to be written
  bool is_display = false;  // it has a line of its own
};

// Returns the formula that an element shows: KaTeX, MathJax and its scripts, MathML, the formulas
// of MediaWiki, Sphinx and Pandoc, pictures of formulas with their source. MathML without a source
// is translated. BOUND: `work_max` nodes and units of 16 bytes; those that were read are taken from
// it.
std::optional<Formula> formula_of(const dom::Node& element, std::size_t& work_max);

}  // namespace gossamer::content

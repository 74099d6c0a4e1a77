// MathML as TeX.
#pragma once

#include <cstddef>
#include <string>

#include "dom/node.h"

namespace gossamer::content {

// Translates a <math> element: rows, scripts, fractions, roots, fences, tables, accents. Unknown
// elements are their children. BOUND: `work_max` nodes, which are taken from it.
std::string mathml_to_tex(const dom::Node& math, std::size_t& work_max);

}  // namespace gossamer::content

// Writes trees as HTML.
#pragma once

#include <cstddef>
#include <string>

#include "dom/node.h"

namespace gossamer::dom {

// Returns a node and all below it as HTML. A page that is parsed again has the same tree, except
// where HTML cannot express it: https://html.spec.whatwg.org/#html-fragment-serialisation-algorithm
// BOUND: the text ends when it exceeds `bytes_max`.
std::string to_html(const Node& node, std::size_t bytes_max = std::size_t{16} * 1024 * 1024);

}  // namespace gossamer::dom

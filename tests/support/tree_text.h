// A tree as text, in the form of the html5lib tests.
#pragma once

#include <string>

#include "dom/document.h"

namespace gossamer::dom {

// One line per node and attribute: "| ", two spaces per level, and the node. A fragment is written
// without its element `html`.
std::string tree_text(const Document& document, bool is_fragment = false);

}  // namespace gossamer::dom

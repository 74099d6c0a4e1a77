// Elements that are closed in the wrong order: <b><p></b></p>.
#pragma once

#include "dom/builder.h"

namespace gossamer::dom {

// Closes a formatting element. Returns false if none of this name is active; the end tag is then
// like any other.
// https://html.spec.whatwg.org/#adoption-agency-algorithm
bool adopt(Builder& tree, TagId subject);

}  // namespace gossamer::dom

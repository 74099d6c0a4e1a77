// gossamer._core.Element: an element of a page.
#pragma once

#include "bindings/python/object.h"
#include "dom/node.h"

namespace gossamer::python {

// Adds the type to the module. Returns false after a Python exception.
bool add_element_type(PyObject* module);

// Returns a list of the elements that a selector finds below `from`, or on the whole page if it is
// nullptr; nullptr after a Python exception. `type` is _core.Element or a subclass. The elements
// keep the page. REQUIRES: the page has a body.
PyObject* find_elements(PyObject* page, const dom::Node* from, PyObject* selector, PyObject* type);

}  // namespace gossamer::python

// gossamer._core.PageIterator: the pages of a stream for `for` and `async for`.
#pragma once

#include "bindings/python/object.h"

namespace gossamer::python {

// Adds the types to the module. Returns false after a Python exception.
bool add_page_iterator_types(PyObject* module);

}  // namespace gossamer::python

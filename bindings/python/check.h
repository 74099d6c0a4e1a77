// gossamer._core.Check: a link check on its own thread.
#pragma once

#include "bindings/python/object.h"

namespace gossamer::python {

// Adds the type to the module. Returns false after a Python exception.
bool add_check_type(PyObject* module);

}  // namespace gossamer::python

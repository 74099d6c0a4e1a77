// The log of crawls. Their threads never take the GIL, so lines wait until Python takes them.
#pragma once

#include "bindings/python/object.h"

namespace gossamer::python {

// From now on, lines wait for take_log().
void collect_log();

// Returns a list of (level, line), and forgets the lines.
PyObject* take_log(PyObject* module, PyObject* unused);

}  // namespace gossamer::python

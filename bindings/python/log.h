// The log of crawls. Their threads never take the GIL, so lines wait until Python takes them.
#pragma once

#include "bindings/python/object.h"

namespace gossamer::python {

// From now on, lines wait for take_log().
void collect_log();

// Around fork(), inside base::lock_log().
void lock_log_queue();
void unlock_log_queue();

bool has_log_lines();
// Returns a list of (level, line), and forgets the lines.
PyObject* take_log(PyObject* module, PyObject* unused);

}  // namespace gossamer::python

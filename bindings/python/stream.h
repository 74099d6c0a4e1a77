// gossamer._core.Stream: a crawl on its own thread, whose pages Python takes without waiting.
#pragma once

#include "bindings/python/object.h"

namespace gossamer::python {

// Adds the type to the module. Returns false after a Python exception.
bool add_stream_type(PyObject* module);

}  // namespace gossamer::python

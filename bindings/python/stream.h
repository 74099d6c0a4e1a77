// gossamer._core.Stream: a crawl on its own thread, whose pages Python takes without waiting.
#pragma once

#include "bindings/python/object.h"

namespace gossamer::python {

// Adds the type to the module. Returns false after a Python exception.
bool add_stream_type(PyObject* module);

bool is_stream(PyObject* object);
// Returns a page; None if there is none now; nullptr after a Python exception. REQUIRES, for these:
// it is a stream.
PyObject* take_from(PyObject* stream);
// Returns a descriptor that is readable if there may be a page or the end.
int news_of(PyObject* stream);

}  // namespace gossamer::python

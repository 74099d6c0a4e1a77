// gossamer._core.Page: one page, and what is taken from its body on request.
#pragma once

#include "bindings/python/object.h"
#include "bindings/python/page_content.h"
#include "run/page_stream.h"

namespace gossamer::python {

// Adds the type to the module. Returns false after a Python exception.
bool add_page_type(PyObject* module);
// True if it is that type or a class that inherits from it.
bool is_page_type(PyObject* object);

// REQUIRES: the object is a page.
PageContent& content_of(PyObject* page);

// Returns a new object of `type`, which is _core.Page or a subclass; nullptr after a Python
// exception.
PyObject* make_page(PyTypeObject* type, run::Page page, bool has_body);

}  // namespace gossamer::python

// Questions of a crawl to the hooks of its user, as Python values.
#pragma once

#include "bindings/python/object.h"
#include "run/hook_relay.h"

namespace gossamer::python {

// Returns (batch, urls, requests): what answer_questions() takes, a list of str, and a list of
// (url, method, list of header fields). None: there are no questions. nullptr: a Python exception.
PyObject* take_questions(run::HookRelay& relay);

// `arguments` are a batch, a list of bool for its URLs, and a list of header fields for each of its
// requests. Returns None; nullptr after a Python exception.
PyObject* answer_questions(run::HookRelay& relay, PyObject* arguments);

}  // namespace gossamer::python

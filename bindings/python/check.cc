#include "bindings/python/check.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/python/arguments.h"
#include "bindings/python/forks.h"
#include "bindings/python/values.h"
#include "check/formats.h"
#include "options/setting_names.h"
#include "run/link_check.h"
#include "settings/crawl_keywords.h"

namespace gossamer::python {
namespace {

struct CheckObject {
  PyObject_HEAD struct Members {
    std::unique_ptr<run::LinkCheck> check;  // nullptr: the result was taken, or it was closed
    std::uint64_t forks_before = fork_count();
    int news = -1;  // an eventfd: readable at the end
  }* members;
};

CheckObject::Members& members_of(PyObject* self) {
  return *reinterpret_cast<CheckObject*>(self)->members;
}

// In a child process there is no thread to wait for.
void close_check(CheckObject::Members& members) {
  std::unique_ptr<run::LinkCheck> check = std::move(members.check);
  if (!check) return;
  if (members.forks_before != fork_count()) {
    static_cast<void>(check.release());  // never destroyed
    return;
  }
  const WithoutGil others_run;
  check.reset();
}

// Returns nothing after a Python exception.
std::optional<run::CheckSettings> read_settings(PyObject* sources, PyObject* settings) {
  auto arguments = read_arguments(sources, settings);
  if (!arguments) return std::nullopt;
  std::optional<Result<run::CheckSettings>> read;
  {
    const WithoutGil others_run;
    read.emplace(settings::check_settings_of(std::move(arguments->words), arguments->keywords));
  }
  if (*read) return std::move(**read);
  set_settings_error(read->error());
  return std::nullopt;
}

PyObject* start_check(PyTypeObject* type, PyObject* arguments) {
  PyObject* sources = nullptr;
  PyObject* settings = nullptr;
  if (PyArg_ParseTuple(arguments, "OO:Check", &sources, &settings) == 0) return nullptr;
  auto check = read_settings(sources, settings);
  if (!check) return nullptr;
  auto members = std::make_unique<CheckObject::Members>();
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  Ref self(alloc(type, 0));
  if (!self) return nullptr;
  members->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const int news = members->news;
  reinterpret_cast<CheckObject*>(self.get())->members = members.release();
  if (news < 0) return PyErr_SetFromErrno(PyExc_OSError);
  const auto tell = [news] {
    const std::uint64_t one = 1;
    static_cast<void>(!write(news, &one, sizeof(one)));
  };
  members_of(self.get()).check = std::make_unique<run::LinkCheck>(std::move(*check), tell);
  return self.release();
}

PyObject* make_check(PyTypeObject* type, PyObject* arguments, PyObject*) {
  return guarded([&] { return start_check(type, arguments); });
}

void dealloc(PyObject* self) {
  CheckObject::Members* const members = reinterpret_cast<CheckObject*>(self)->members;
  if (members != nullptr) {
    close_check(*members);
    if (members->news >= 0) close(members->news);
    delete members;
  }
  free_object(self);
}

PyObject* close_method(PyObject* self, PyObject*) {
  close_check(members_of(self));
  return Py_NewRef(Py_None);
}

PyObject* fileno_method(PyObject* self, PyObject*) {
  return PyLong_FromLong(members_of(self).news);
}

// Returns (result as JSON, number of sources that were not checked, whether a page was included),
// or (failed part, message, False).
PyObject* take_result(CheckObject::Members& members) {
  if (!members.check || members.forks_before != fork_count()) {
    PyErr_SetString(PyExc_RuntimeError, "this check has ended");
    return nullptr;
  }
  std::optional<run::Outcome<run::CheckResult>> result;
  std::string json;
  {
    const WithoutGil others_run;
    result.emplace(members.check->result());
    if (*result) json = check::to_json((*result)->findings);
  }
  close_check(members);
  if (!*result) {
    const Ref message(to_str(options::as_keywords(result->error().error.message())));
    if (!message) return nullptr;
    return Py_BuildValue("sOO", name_of(result->error().part).data(), message.get(), Py_False);
  }
  const Ref text(to_str(json));
  const Ref unchecked(PyLong_FromUnsignedLongLong((*result)->findings.sources_unchecked));
  const Ref is_included(PyBool_FromLong((*result)->has_included_page ? 1 : 0));
  if (!text || !unchecked) return nullptr;
  return PyTuple_Pack(3, text.get(), unchecked.get(), is_included.get());
}

PyObject* result_method(PyObject* self, PyObject*) {
  return guarded([self] { return take_result(members_of(self)); });
}

PyMethodDef methods[] = {
    {"result", result_method, METH_NOARGS, "Wait for the end and return the result, once."},
    {"close", close_method, METH_NOARGS, "Stop the check and wait for its thread."},
    {"fileno", fileno_method, METH_NOARGS, "Return a descriptor: readable at the end."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_check)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_methods, methods},
                       {Py_tp_doc, const_cast<char*>("A link check on its own thread.")},
                       {0, nullptr}};

PyType_Spec spec = {.name = "gossamer._core.Check",
                    .basicsize = sizeof(CheckObject),
                    .itemsize = 0,
                    .flags = Py_TPFLAGS_DEFAULT,
                    .slots = slots};

}  // namespace

bool add_check_type(PyObject* module) { return add_type(module, "Check", spec); }

}  // namespace gossamer::python

// The module gossamer._core. The package in gossamer/ makes it comfortable.
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "bindings/python/check.h"
#include "bindings/python/element.h"
#include "bindings/python/log.h"
#include "bindings/python/object.h"
#include "bindings/python/page.h"
#include "bindings/python/page_iterator.h"
#include "bindings/python/stream.h"
#include "settings/crawl_keywords.h"

namespace gossamer::python {
namespace {

PyObject* list_names(const std::vector<std::string>& names) {
  Ref list(PyList_New(0));
  for (const std::string& name : names) {
    const Ref text(to_str(name));
    if (!list || !text || PyList_Append(list.get(), text.get()) != 0) return nullptr;
  }
  return list.release();
}

PyObject* setting_names(PyObject*, PyObject*) {
  return guarded([] { return list_names(settings::crawl_keywords()); });
}

PyObject* check_setting_names(PyObject*, PyObject*) {
  return guarded([] { return list_names(settings::check_keywords()); });
}

// Static state and threads belong to the first interpreter.
bool is_main_interpreter() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return true;
  PyErr_SetString(PyExc_ImportError, "gossamer does not work in a subinterpreter");
  return false;
}

int fill_module(PyObject* module) {
  if (!is_main_interpreter() || !add_page_type(module) || !add_element_type(module) ||
      !add_stream_type(module) || !add_page_iterator_types(module) || !add_check_type(module)) {
    return -1;
  }
  collect_log();
  return PyModule_AddStringConstant(module, "version", base::kVersion);
}

PyMethodDef functions[] = {
    {"setting_names", setting_names, METH_NOARGS, "Return the names of all settings of a crawl."},
    {"check_setting_names", check_setting_names, METH_NOARGS,
     "Return the names of all settings of a check."},
    {"take_log", take_log, METH_NOARGS, "Return (level, line) for each new line of the log."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(fill_module)},
                                   {0, nullptr}};

PyModuleDef module_definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "gossamer._core",
                                 .m_doc = "The crawler behind the package gossamer.",
                                 .m_size = 0,
                                 .m_methods = functions,
                                 .m_slots = module_slots,
                                 .m_traverse = nullptr,
                                 .m_clear = nullptr,
                                 .m_free = nullptr};

}  // namespace
}  // namespace gossamer::python

PyMODINIT_FUNC PyInit__core() { return PyModuleDef_Init(&gossamer::python::module_definition); }

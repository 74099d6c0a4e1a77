#include "bindings/python/arguments.h"

#include <utility>

#include "options/setting_names.h"

namespace gossamer::python {
namespace {

// Appends the items of a list of str.
bool read_texts(PyObject* list, std::vector<std::string>& into) {
  if (!check_type(PyList_Check(list), "a list of str")) return false;
  const Py_ssize_t count = PyList_Size(list);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!read_text(PyList_GetItem(list, i), into.emplace_back())) return false;
  }
  return true;
}

bool read_keywords(PyObject* dict, std::vector<settings::CrawlKeyword>& into) {
  if (!check_type(PyDict_Check(dict), "a dict of settings")) return false;
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t place = 0;
  while (PyDict_Next(dict, &place, &name, &value) != 0) {
    settings::CrawlKeyword keyword;
    if (!read_text(name, keyword.name)) return false;
    if (PyBool_Check(value)) {
      keyword.is_on = value == Py_True;
    } else if (!read_texts(value, keyword.values)) {
      return false;
    }
    into.push_back(std::move(keyword));
  }
  return true;
}

}  // namespace

bool read_text(PyObject* text, std::string& into) {
  if (!check_type(PyUnicode_Check(text), "a str")) return false;
  const Ref bytes(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (!bytes || PyBytes_AsStringAndSize(bytes.get(), &data, &size) != 0) return false;
  into.assign(data, static_cast<std::size_t>(size));
  return true;
}

std::optional<Arguments> read_arguments(PyObject* words, PyObject* settings) {
  Arguments read;
  if (!read_texts(words, read.words) || !read_keywords(settings, read.keywords)) {
    return std::nullopt;
  }
  return read;
}

void set_settings_error(const Error& error) {
  const bool is_unknown = error == Errc::unsupported;
  set_error(is_unknown ? PyExc_TypeError : PyExc_ValueError, options::as_keywords(error.message()));
}

}  // namespace gossamer::python

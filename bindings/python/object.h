// Owned references to Python objects, and what the files of the module share.
#pragma once

// The module works with Python 3.11 and every later version.
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer::python {

// Owns a reference; nullptr: none. REQUIRES, for all: the caller holds the GIL.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) noexcept : object_(owned) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  explicit operator bool() const noexcept { return object_ != nullptr; }
  PyObject* get() const noexcept { return object_; }
  PyObject* release() noexcept { return std::exchange(object_, nullptr); }

 private:
  PyObject* object_ = nullptr;
};

// Lets other Python threads run during its lifetime.
class WithoutGil {
 public:
  WithoutGil() noexcept : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      // The interpreter has ended and ends this daemon thread by force. Leaving the handler would
      // abort the process.
      for (;;) pause();
    }
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* const state_;
};

// Returns a new str. Bytes that are not UTF-8 become U+FFFD: servers can send anything.
inline PyObject* to_str(std::string_view text) noexcept {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

// Sets an exception, whatever bytes its message has.
inline void set_error(PyObject* type, std::string_view message) noexcept {
  const Ref text(to_str(message));
  if (text) PyErr_SetObject(type, text.get());
}

// Sets TypeError unless an argument has the type that C functions require: `expected` names it.
// They would set SystemError, or not check at all.
inline bool check_type(bool is_right, const char* expected) noexcept {
  if (!is_right) PyErr_Format(PyExc_TypeError, "expected %s", expected);
  return is_right;
}

// Calls a function that returns a new object. What it throws becomes a Python exception: there is
// no memory, or no thread can be started.
template <class Function>
PyObject* guarded(const Function& function) noexcept {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const std::exception& error) {
    set_error(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

// Frees an object of a type of this module, after its members were destroyed.
inline void free_object(PyObject* self) noexcept {
  PyTypeObject* const type = Py_TYPE(self);
  const auto free = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  free(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

// Makes the type and adds it to the module. Returns false after a Python exception.
inline bool add_type(PyObject* module, const char* name, PyType_Spec& spec) noexcept {
  const Ref type(PyType_FromModuleAndSpec(module, &spec, nullptr));
  return type && PyModule_AddObjectRef(module, name, type.get()) == 0;
}

}  // namespace gossamer::python

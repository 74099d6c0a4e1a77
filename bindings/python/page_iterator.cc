#include "bindings/python/page_iterator.h"

#include <poll.h>

#include <cstdint>
#include <utility>

#include "bindings/python/log.h"
#include "bindings/python/stream.h"

// A frame of Python costs as much as all else that is done for a page. So a page that is ready is
// taken without one, and functions of Python do what is rare: they wait, write the log, and end.
namespace gossamer::python {
namespace {

// A busy crawl has its next pages within this time.
constexpr int kSoonMs = 5;
// After so many pages, other tasks of an event loop get a turn. _crawl.py has the same number.
constexpr std::uint32_t kPagesPerTurn = 64;

struct IteratorObject {
  PyObject_HEAD PyObject* stream;
  PyObject* crawl;  // of Python; it has __next__() and _next_async()
  std::uint32_t taken_in_turn;
};

// The next page, for `await`. It is taken when the task runs, so that a task that was cancelled
// before loses none.
struct NextObject {
  PyObject_HEAD PyObject* iterator;  // nullptr: it was awaited
  PyObject* waiting;                 // a coroutine that waits for the page; nullptr: none
};

PyObject* next_type = nullptr;  // lives as long as the process

template <class Object>
Object& as(PyObject* self) {
  return *reinterpret_cast<Object*>(self);
}

PyObject* allocate(PyTypeObject* type) {
  return reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

PyObject* same(PyObject* self) { return Py_NewRef(self); }

// Both types hold two objects, and may be part of a cycle.
template <class Object, PyObject* Object::* kFirst, PyObject* Object::* kSecond>
struct TwoReferences {
  static int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(as<Object>(self).*kFirst);
    Py_VISIT(as<Object>(self).*kSecond);
    return 0;
  }
  static int clear(PyObject* self) {
    Py_CLEAR(as<Object>(self).*kFirst);
    Py_CLEAR(as<Object>(self).*kSecond);
    return 0;
  }
  static void dealloc(PyObject* self) {
    PyObject_GC_UnTrack(self);
    clear(self);
    free_object(self);
  }
};
using OfIterator = TwoReferences<IteratorObject, &IteratorObject::stream, &IteratorObject::crawl>;
using OfNext = TwoReferences<NextObject, &NextObject::iterator, &NextObject::waiting>;

// --- the next page, for `await`

// Returns a page that is ready; None: there is none, or other tasks come first; nullptr after a
// Python exception.
PyObject* take_in_turn(IteratorObject& iterator) {
  if (iterator.taken_in_turn >= kPagesPerTurn) return Py_NewRef(Py_None);
  PyObject* const page = take_from(iterator.stream);
  if (page != nullptr && page != Py_None) ++iterator.taken_in_turn;
  return page;
}

PyObject* begin_to_wait(IteratorObject& iterator) {
  const bool yields_first = std::exchange(iterator.taken_in_turn, 0) >= kPagesPerTurn;
  return PyObject_CallMethod(iterator.crawl, "_next_async", "O", yields_first ? Py_True : Py_False);
}

PySendResult send(PyObject* self, PyObject* value, PyObject** result) {
  auto& next = as<NextObject>(self);
  *result = nullptr;
  if (next.waiting == nullptr) {
    const Ref iterator(std::exchange(next.iterator, nullptr));
    if (!iterator) {
      PyErr_SetString(PyExc_RuntimeError, "a page was awaited twice");
      return PYGEN_ERROR;
    }
    Ref page(take_in_turn(as<IteratorObject>(iterator.get())));
    if (!page) return PYGEN_ERROR;
    if (page.get() != Py_None) {
      *result = page.release();
      return PYGEN_RETURN;
    }
    next.waiting = begin_to_wait(as<IteratorObject>(iterator.get()));
    if (next.waiting == nullptr) return PYGEN_ERROR;
  }
  const Ref waiting(Py_NewRef(next.waiting));
  return PyIter_Send(waiting.get(), value, result);
}

PyObject* send_value(PyObject* self, PyObject* value) {
  PyObject* result = nullptr;
  switch (send(self, value, &result)) {
    case PYGEN_NEXT: return result;
    case PYGEN_RETURN: {
      const Ref page(result);
      PyErr_SetObject(PyExc_StopIteration, result);
      return nullptr;
    }
    case PYGEN_ERROR: break;
  }
  return nullptr;
}

PyObject* send_none(PyObject* self) { return send_value(self, Py_None); }

PyObject* throw_into(PyObject* self, PyObject* arguments) {
  auto& next = as<NextObject>(self);
  if (next.waiting != nullptr) {
    const Ref waiting(Py_NewRef(next.waiting));
    const Ref method(PyObject_GetAttrString(waiting.get(), "throw"));
    return method ? PyObject_CallObject(method.get(), arguments) : nullptr;
  }
  Py_CLEAR(next.iterator);
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
  if (PyArg_ParseTuple(arguments, "O|OO:throw", &type, &value, &trace) == 0) return nullptr;
  if (value != nullptr && value != Py_None) {
    PyErr_SetObject(type, value);
  } else if (PyExceptionInstance_Check(type)) {
    PyErr_SetObject(PyExceptionInstance_Class(type), type);
  } else {
    PyErr_SetNone(type);
  }
  return nullptr;
}

PyObject* close_next(PyObject* self, PyObject*) {
  auto& next = as<NextObject>(self);
  Py_CLEAR(next.iterator);
  if (next.waiting == nullptr) return Py_NewRef(Py_None);
  const Ref waiting(std::exchange(next.waiting, nullptr));
  return PyObject_CallMethod(waiting.get(), "close", nullptr);
}

// With these it is a coroutine for asyncio, and can become a task.
PyMethodDef next_methods[] = {
    {"send", send_value, METH_O, "Continue the wait."},
    {"throw", throw_into, METH_VARARGS, "End the wait with an exception."},
    {"close", close_next, METH_NOARGS, "End the wait."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot next_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(OfNext::dealloc)},
                            {Py_tp_traverse, reinterpret_cast<void*>(OfNext::traverse)},
                            {Py_tp_clear, reinterpret_cast<void*>(OfNext::clear)},
                            {Py_tp_iter, reinterpret_cast<void*>(same)},
                            {Py_tp_iternext, reinterpret_cast<void*>(send_none)},
                            {Py_tp_methods, next_methods},
                            {Py_am_await, reinterpret_cast<void*>(same)},
                            {Py_am_send, reinterpret_cast<void*>(send)},
                            {0, nullptr}};

PyType_Spec next_spec = {
    .name = "gossamer._core.NextPage",
    .basicsize = sizeof(NextObject),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = next_slots};

// --- the iterator

PyObject* make_iterator(PyTypeObject* type, PyObject* arguments, PyObject*) {
  PyObject* stream = nullptr;
  PyObject* crawl = nullptr;
  if (PyArg_ParseTuple(arguments, "OO:PageIterator", &stream, &crawl) == 0) return nullptr;
  if (!is_stream(stream)) {
    PyErr_SetString(PyExc_TypeError, "not a stream");
    return nullptr;
  }
  PyObject* const self = allocate(type);
  if (self == nullptr) return nullptr;
  as<IteratorObject>(self).stream = Py_NewRef(stream);
  as<IteratorObject>(self).crawl = Py_NewRef(crawl);
  return self;
}

void wait_a_little(PyObject* stream) {
  pollfd news = {.fd = news_of(stream), .events = POLLIN, .revents = 0};
  const WithoutGil others_run;
  static_cast<void>(poll(&news, 1, kSoonMs));
}

PyObject* next_page(PyObject* self) {
  const auto& members = as<IteratorObject>(self);
  // A caller in C, such as list(), runs no code of Python between two pages.
  if (PyErr_CheckSignals() != 0) return nullptr;
  Ref page(take_from(members.stream));
  if (page.get() == Py_None && !has_log_lines()) {
    wait_a_little(members.stream);
    page = Ref(take_from(members.stream));
  }
  if (page.get() != Py_None) return page.release();  // also nullptr
  return PyObject_CallMethod(members.crawl, "__next__", nullptr);
}

PyObject* next_awaitable(PyObject* self) {
  PyObject* const next = allocate(reinterpret_cast<PyTypeObject*>(next_type));
  if (next != nullptr) as<NextObject>(next).iterator = Py_NewRef(self);
  return next;
}

PyType_Slot iterator_slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_iterator)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(OfIterator::dealloc)},
                                {Py_tp_traverse, reinterpret_cast<void*>(OfIterator::traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(OfIterator::clear)},
                                {Py_tp_iter, reinterpret_cast<void*>(same)},
                                {Py_tp_iternext, reinterpret_cast<void*>(next_page)},
                                {Py_am_aiter, reinterpret_cast<void*>(same)},
                                {Py_am_anext, reinterpret_cast<void*>(next_awaitable)},
                                {Py_tp_doc, const_cast<char*>("The pages of a crawl.")},
                                {0, nullptr}};

PyType_Spec iterator_spec = {.name = "gossamer._core.PageIterator",
                             .basicsize = sizeof(IteratorObject),
                             .itemsize = 0,
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                             .slots = iterator_slots};

}  // namespace

bool add_page_iterator_types(PyObject* module) {
  next_type = PyType_FromModuleAndSpec(module, &next_spec, nullptr);
  return next_type != nullptr && add_type(module, "PageIterator", iterator_spec);
}

}  // namespace gossamer::python

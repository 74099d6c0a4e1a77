#include "bindings/python/page_iterator.h"

#include <poll.h>

#include <cstdint>
#include <utility>

#include "bindings/python/stream.h"

// A frame of Python costs as much as all else that is done for a page. So a page that is ready is
// taken without one, and functions of Python do what is rare: they wait, write the log, and end.
namespace gossamer::python {
namespace {

// A busy crawl has its next pages within this time.
constexpr int kSoonMs = 5;
// After so many pages, other tasks of an event loop get a turn.
constexpr std::uint32_t kPagesPerTurn = 64;

struct IteratorObject {
  PyObject_HEAD PyObject* stream;
  PyObject* crawl;  // of Python; it has __next__() and _next_async()
  std::uint32_t taken_in_turn;
};

// An awaitable that has its value.
struct ReadyObject {
  PyObject_HEAD PyObject* value;  // nullptr: it was awaited
};

PyObject* ready_type = nullptr;  // lives as long as the process

template <class Object>
Object& as(PyObject* self) {
  return *reinterpret_cast<Object*>(self);
}

PyObject* allocate(PyTypeObject* type) {
  return reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

PyObject* same(PyObject* self) { return Py_NewRef(self); }

// --- a value for `await`

void dealloc_ready(PyObject* self) {
  Py_XDECREF(as<ReadyObject>(self).value);
  free_object(self);
}

PySendResult send(PyObject* self, PyObject*, PyObject** result) {
  *result = std::exchange(as<ReadyObject>(self).value, nullptr);
  if (*result != nullptr) return PYGEN_RETURN;
  PyErr_SetString(PyExc_RuntimeError, "a page was awaited twice");
  return PYGEN_ERROR;
}

PyObject* next_of_ready(PyObject* self) {
  PyObject* value = nullptr;
  if (send(self, nullptr, &value) == PYGEN_RETURN) {
    const Ref owned(value);
    PyErr_SetObject(PyExc_StopIteration, value);
  }
  return nullptr;
}

PyType_Slot ready_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc_ready)},
                             {Py_tp_iter, reinterpret_cast<void*>(same)},
                             {Py_tp_iternext, reinterpret_cast<void*>(next_of_ready)},
                             {Py_am_await, reinterpret_cast<void*>(same)},
                             {Py_am_send, reinterpret_cast<void*>(send)},
                             {0, nullptr}};

PyType_Spec ready_spec = {.name = "gossamer._core.ReadyPage",
                          .basicsize = sizeof(ReadyObject),
                          .itemsize = 0,
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = ready_slots};

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

void dealloc_iterator(PyObject* self) {
  Py_XDECREF(as<IteratorObject>(self).stream);
  Py_XDECREF(as<IteratorObject>(self).crawl);
  free_object(self);
}

// A signal ends the wait. Its handler runs in the next function of Python.
void wait_a_little(PyObject* stream) {
  pollfd news = {.fd = news_of(stream), .events = POLLIN, .revents = 0};
  const WithoutGil others_run;
  static_cast<void>(poll(&news, 1, kSoonMs));
}

PyObject* next_page(PyObject* self) {
  const auto& members = as<IteratorObject>(self);
  Ref page(take_from(members.stream));
  if (page.get() == Py_None) {
    wait_a_little(members.stream);
    page = Ref(take_from(members.stream));
  }
  if (page.get() != Py_None) return page.release();  // also nullptr
  return PyObject_CallMethod(members.crawl, "__next__", nullptr);
}

PyObject* next_awaitable(PyObject* self) {
  auto& members = as<IteratorObject>(self);
  const bool yields_first = members.taken_in_turn >= kPagesPerTurn;
  if (!yields_first) {
    Ref page(take_from(members.stream));
    if (!page) return nullptr;
    if (page.get() != Py_None) {
      PyObject* const ready = allocate(reinterpret_cast<PyTypeObject*>(ready_type));
      if (ready == nullptr) return nullptr;
      as<ReadyObject>(ready).value = page.release();
      ++members.taken_in_turn;
      return ready;
    }
  }
  members.taken_in_turn = 0;
  return PyObject_CallMethod(members.crawl, "_next_async", "O", yields_first ? Py_True : Py_False);
}

PyType_Slot iterator_slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_iterator)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_iterator)},
                                {Py_tp_iter, reinterpret_cast<void*>(same)},
                                {Py_tp_iternext, reinterpret_cast<void*>(next_page)},
                                {Py_am_aiter, reinterpret_cast<void*>(same)},
                                {Py_am_anext, reinterpret_cast<void*>(next_awaitable)},
                                {Py_tp_doc, const_cast<char*>("The pages of a crawl.")},
                                {0, nullptr}};

PyType_Spec iterator_spec = {.name = "gossamer._core.PageIterator",
                             .basicsize = sizeof(IteratorObject),
                             .itemsize = 0,
                             .flags = Py_TPFLAGS_DEFAULT,
                             .slots = iterator_slots};

}  // namespace

bool add_page_iterator_types(PyObject* module) {
  ready_type = PyType_FromModuleAndSpec(module, &ready_spec, nullptr);
  return ready_type != nullptr && add_type(module, "PageIterator", iterator_spec);
}

}  // namespace gossamer::python

#include "bindings/python/hooks.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/arguments.h"
#include "settings/crawl_fields.h"

namespace gossamer::python {
namespace {

using Questions = run::HookRelay::Questions;

constexpr const char* kBatch = "gossamer._core.batch";

void free_batch(PyObject* capsule) {
  delete static_cast<Questions*>(PyCapsule_GetPointer(capsule, kBatch));
}

// Returns a list of (name, value).
PyObject* to_list(const std::vector<http::Field>& fields) {
  Ref list(PyList_New(0));
  for (const http::Field& field : fields) {
    const Ref name(to_str(field.name));
    const Ref value(to_str(field.value));
    if (!list || !name || !value) return nullptr;
    const Ref pair(PyTuple_Pack(2, name.get(), value.get()));
    if (!pair || PyList_Append(list.get(), pair.get()) != 0) return nullptr;
  }
  return list.release();
}

bool append_urls(const run::HookQuestion& question, PyObject* list) {
  for (const std::string& url : question.urls) {
    const Ref text(to_str(url));
    if (!text || PyList_Append(list, text.get()) != 0) return false;
  }
  return true;
}

bool append_request(const run::HookQuestion& question, PyObject* list) {
  if (question.url.empty()) return true;
  const Ref url(to_str(question.url));
  const Ref method(to_str(question.method));
  const Ref fields(to_list(question.fields));
  if (!url || !method || !fields) return false;
  const Ref one(PyTuple_Pack(3, url.get(), method.get(), fields.get()));
  return one && PyList_Append(list, one.get()) == 0;
}

// Reads a list of (name, value). Returns false after a Python exception.
bool read_fields(PyObject* list, std::vector<http::Field>& into) {
  into.clear();
  if (!check_type(PyList_Check(list), "a list of (name, value)")) return false;
  const Py_ssize_t count = PyList_Size(list);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const pair = PyList_GetItem(list, i);
    const bool is_pair = PyTuple_Check(pair) && PyTuple_Size(pair) == 2;
    if (!check_type(is_pair, "a list of (name, value)")) return false;
    PyObject* const name = PyTuple_GetItem(pair, 0);
    PyObject* const value = PyTuple_GetItem(pair, 1);
    http::Field& field = into.emplace_back();
    if (!read_text(name, field.name) || !read_text(value, field.value)) return false;
  }
  const auto checked = run::CrawlFields::make(into);
  if (!checked) set_error(PyExc_ValueError, checked.error().message());
  return checked.has_value();
}

// Reads the answers to one question, from these places of the lists on.
bool read_answer(run::HookQuestion& question, PyObject* wanted, Py_ssize_t& next_url,
                 PyObject* fields, Py_ssize_t& next_request) {
  question.wanted.clear();
  for (std::size_t i = 0; i < question.urls.size(); ++i) {
    PyObject* const one = PyList_GetItem(wanted, next_url++);
    const int is_wanted = one == nullptr ? -1 : PyObject_IsTrue(one);
    if (is_wanted < 0) return false;
    question.wanted.push_back(is_wanted != 0);
  }
  if (question.url.empty()) return true;
  PyObject* const list = PyList_GetItem(fields, next_request++);
  return list != nullptr && read_fields(list, question.fields);
}

}  // namespace

PyObject* take_questions(run::HookRelay& relay) {
  auto questions = std::make_unique<Questions>(relay.take());
  if (questions->empty()) return Py_NewRef(Py_None);
  const Ref urls(PyList_New(0));
  const Ref requests(PyList_New(0));
  if (!urls || !requests) return nullptr;
  for (const auto& question : *questions) {
    if (!append_urls(*question, urls.get())) return nullptr;
    if (!append_request(*question, requests.get())) return nullptr;
  }
  const Ref batch(PyCapsule_New(questions.get(), kBatch, free_batch));
  if (!batch) return nullptr;
  static_cast<void>(questions.release());  // the capsule owns it
  return PyTuple_Pack(3, batch.get(), urls.get(), requests.get());
}

PyObject* answer_questions(run::HookRelay& relay, PyObject* arguments) {
  PyObject* batch = nullptr;
  PyObject* wanted = nullptr;
  PyObject* fields = nullptr;
  if (PyArg_ParseTuple(arguments, "OOO:answer", &batch, &wanted, &fields) == 0) return nullptr;
  const bool are_lists = PyList_Check(wanted) && PyList_Check(fields);
  if (!check_type(are_lists, "lists of answers")) return nullptr;
  const auto* const questions = static_cast<Questions*>(PyCapsule_GetPointer(batch, kBatch));
  if (questions == nullptr) return nullptr;
  Py_ssize_t next_url = 0;
  Py_ssize_t next_request = 0;
  for (const auto& question : *questions) {
    if (!read_answer(*question, wanted, next_url, fields, next_request)) return nullptr;
  }
  relay.answer(*questions);
  return Py_NewRef(Py_None);
}

}  // namespace gossamer::python

#include "bindings/python/page.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/element.h"
#include "bindings/python/record_values.h"

namespace gossamer::python {
namespace {

struct PageObject {
  PyObject_HEAD struct Members {
    Members(run::Page taken, bool is_kept) : page(std::move(taken)), has_body(is_kept) {}

    const run::Page page;
    PageContent content{page};
    const bool has_body;
  }* members;
};

PageObject::Members& members_of(PyObject* self) {
  return *reinterpret_cast<PageObject*>(self)->members;
}

const run::Page& page_of(PyObject* self) { return members_of(self).page; }

// Returns false and sets an exception if the crawl kept no bodies.
bool requires_body(PyObject* self) {
  if (members_of(self).has_body) return true;
  PyErr_SetString(PyExc_ValueError, "this crawl keeps no bodies; start it with bodies=True");
  return false;
}

// --- values of the record that differ from its fields

PyObject* get_title(PyObject* self, void*) { return to_str(page_of(self).title()); }
PyObject* get_type(PyObject* self, void*) { return to_str(page_of(self).type()); }
PyObject* get_charset(PyObject* self, void*) { return to_str(page_of(self).record().charset); }
PyObject* get_status(PyObject* self, void*) { return PyLong_FromLong(page_of(self).status()); }

// An empty text is None.
PyObject* text_or_none(std::string_view text) {
  if (text.empty()) return Py_NewRef(Py_None);
  return to_str(text);
}
PyObject* get_found_on(PyObject* self, void*) { return text_or_none(page_of(self).found_on()); }
PyObject* get_redirects_to(PyObject* self, void*) {
  return text_or_none(page_of(self).redirects_to());
}

PyObject* get_head(PyObject* self, void*) {
  const std::string& head = page_of(self).head();
  return PyBytes_FromStringAndSize(head.data(), static_cast<Py_ssize_t>(head.size()));
}

PyObject* get_json(PyObject* self, void*) {
  return to_str(crawler::to_json(page_of(self).record()));
}

// --- the body

PyObject* get_body(PyObject* self, void*) {
  return requires_body(self) ? PyMemoryView_FromObject(self) : nullptr;
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  if (!requires_body(self)) return -1;
  const std::string& body = page_of(self).body();
  // Python never writes to it: the buffer is read-only.
  return PyBuffer_FillInfo(view, self, const_cast<char*>(body.data()),
                           static_cast<Py_ssize_t>(body.size()), 1, flags);
}

PyObject* get_content(PyObject* self, void*) {
  if (!requires_body(self)) return nullptr;
  const std::string& body = page_of(self).body();
  return PyBytes_FromStringAndSize(body.data(), static_cast<Py_ssize_t>(body.size()));
}

// Computes a text without the GIL, which may take milliseconds.
template <class Compute>
PyObject* computed_text(PyObject* self, const Compute& compute) {
  if (!requires_body(self)) return nullptr;
  return guarded([&] {
    std::string text;
    {
      const WithoutGil others_run;
      text = compute(members_of(self).content);
    }
    return to_str(text);
  });
}

PyObject* get_text(PyObject* self, void*) {
  return computed_text(self, [](const PageContent& content) { return content.text(); });
}
PyObject* get_main_text(PyObject* self, void*) {
  return computed_text(self, [](PageContent& content) { return content.main_text(); });
}
PyObject* get_markdown(PyObject* self, void*) {
  return computed_text(self, [](PageContent& content) { return content.markdown(); });
}

// Returns a list of (url, kind, text, rel).
PyObject* list_links(PyObject* self) {
  std::vector<crawler::PageLink> links;
  {
    const WithoutGil others_run;
    links = members_of(self).content.links();
  }
  Ref list(PyList_New(0));
  for (const crawler::PageLink& link : links) {
    const Ref url(to_str(link.url));
    const Ref kind(to_str(link.kind));
    const Ref text(to_str(link.text));
    const Ref rel(to_str(link.rel));
    if (!list || !url || !kind || !text || !rel) return nullptr;
    const Ref one(PyTuple_Pack(4, url.get(), kind.get(), text.get(), rel.get()));
    if (!one || PyList_Append(list.get(), one.get()) != 0) return nullptr;
  }
  return list.release();
}

PyObject* get_links(PyObject* self, void*) {
  if (!requires_body(self)) return nullptr;
  return guarded([self] { return list_links(self); });
}

// The arguments are a selector and the class of the elements.
PyObject* select(PyObject* self, PyObject* arguments) {
  if (!requires_body(self)) return nullptr;
  PyObject* selector = nullptr;
  PyObject* type = nullptr;
  if (PyArg_ParseTuple(arguments, "OO", &selector, &type) == 0) return nullptr;
  return guarded([&] { return find_elements(self, nullptr, selector, type); });
}

// --- the type

PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "pages come from gossamer.crawl() and gossamer.get()");
  return nullptr;
}

void dealloc(PyObject* self) {
  delete reinterpret_cast<PageObject*>(self)->members;
  free_object(self);
}

const PyGetSetDef getters[] = {
    {"status", get_status, nullptr, "The HTTP status; 0 if there was no answer.", nullptr},
    {"title", get_title, nullptr, "The title of an HTML page.", nullptr},
    {"type", get_type, nullptr, "The media type, such as text/html.", nullptr},
    {"charset", get_charset, nullptr, "The encoding of the text.", nullptr},
    {"found_on", get_found_on, nullptr, "The page with the link; None for roots.", nullptr},
    {"redirects_to", get_redirects_to, nullptr, "The target of a redirect, or None.", nullptr},
    {"head", get_head, nullptr, "The head of the response, as received.", nullptr},
    {"json", get_json, nullptr, "The record as a line of JSON, as the command writes it.", nullptr},
    {"body", get_body, nullptr, "The decoded body as a read-only memoryview.", nullptr},
    {"content", get_content, nullptr, "The decoded body as bytes.", nullptr},
    {"text", get_text, nullptr, "The body as text.", nullptr},
    {"main_text", get_main_text, nullptr, "The main text, without navigation.", nullptr},
    {"markdown", get_markdown, nullptr, "The main text as Markdown.", nullptr},
    {"link_rows", get_links, nullptr, "Its links as (url, kind, text, rel).", nullptr}};

PyMethodDef methods[] = {
    {"find_all", select, METH_VARARGS, "Return the matching elements, as objects of a class."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

const crawler::FetchRecord& record_of(PyObject* page) { return page_of(page).record(); }

bool add_page_type(PyObject* module) {
  static std::vector<PyGetSetDef> attributes = with_record_fields(getters);
  static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                                {Py_tp_getset, attributes.data()},
                                {Py_tp_methods, methods},
                                {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                                {Py_tp_doc, const_cast<char*>("The result of one URL.")},
                                {0, nullptr}};
  PyType_Spec spec = {.name = "gossamer._core.Page",
                      .basicsize = sizeof(PageObject),
                      .itemsize = 0,
                      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                      .slots = slots};
  return add_type(module, "Page", spec);
}

PageContent& content_of(PyObject* page) { return members_of(page).content; }

bool is_page_type(PyObject* object) {
  // Classes inherit it.
  return PyType_Check(object) && PyType_GetSlot(reinterpret_cast<PyTypeObject*>(object),
                                                Py_tp_new) == reinterpret_cast<void*>(refuse_new);
}

PyObject* make_page(PyTypeObject* type, run::Page page, bool has_body) {
  auto members = std::make_unique<PageObject::Members>(std::move(page), has_body);
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* const self = alloc(type, 0);
  if (self == nullptr) return nullptr;
  reinterpret_cast<PageObject*>(self)->members = members.release();
  return self;
}

}  // namespace gossamer::python

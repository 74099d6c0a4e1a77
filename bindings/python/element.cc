#include "bindings/python/element.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/page.h"
#include "bindings/python/page_content.h"

namespace gossamer::python {
namespace {

struct ElementObject {
  PyObject_HEAD PyObject* page;  // owns the tree
  const dom::Node* node;
};

ElementObject& element_of(PyObject* self) { return *reinterpret_cast<ElementObject*>(self); }
const dom::Node& node_of(PyObject* self) { return *element_of(self).node; }

PyObject* make_element(PyTypeObject* type, PyObject* page, const dom::Node& node) {
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* const self = alloc(type, 0);
  if (self == nullptr) return nullptr;
  element_of(self).page = Py_NewRef(page);
  element_of(self).node = &node;
  return self;
}

// Computes a text without the GIL.
PyObject* element_text_by(PyObject* self,
                          std::string (PageContent::*compute)(const dom::Node&) const) {
  return guarded([&] {
    std::string text;
    {
      const WithoutGil others_run;
      text = (content_of(element_of(self).page).*compute)(node_of(self));
    }
    return to_str(text);
  });
}

PyObject* get_element_name(PyObject* self, void*) { return to_str(node_of(self).name()); }
PyObject* get_element_text(PyObject* self, void*) {
  return element_text_by(self, &PageContent::text_of);
}
PyObject* get_element_html(PyObject* self, void*) {
  return element_text_by(self, &PageContent::html_of);
}
PyObject* get_element_markdown(PyObject* self, void*) {
  return element_text_by(self, &PageContent::markdown_of);
}

PyObject* get_attributes(PyObject* self, void*) {
  Ref dict(PyDict_New());
  for (const dom::Attribute& attribute : node_of(self).attributes()) {
    const Ref name(to_str(attribute.name()));
    const Ref value(to_str(attribute.value()));
    if (!dict || !name || !value || PyDict_SetItem(dict.get(), name.get(), value.get()) != 0) {
      return nullptr;
    }
  }
  return dict.release();
}

PyObject* get_parent(PyObject* self, void*) {
  const dom::Node* const parent = node_of(self).parent();
  if (parent == nullptr || !parent->is_element()) return Py_NewRef(Py_None);
  return make_element(Py_TYPE(self), element_of(self).page, *parent);
}

PyObject* select_below(PyObject* self, PyObject* selector) {
  return guarded([&] {
    return find_elements(element_of(self).page, &node_of(self), selector,
                         reinterpret_cast<PyObject*>(Py_TYPE(self)));
  });
}

PyObject* refuse_new_element(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "elements come from Page.select()");
  return nullptr;
}

void dealloc_element(PyObject* self) {
  Py_XDECREF(element_of(self).page);
  free_object(self);
}

bool is_element_type(PyObject* type) {
  return PyType_Check(type) != 0 &&
         PyType_GetSlot(reinterpret_cast<PyTypeObject*>(type), Py_tp_new) ==
             reinterpret_cast<void*>(refuse_new_element);
}

// Two objects are equal if they are the same element of the same page.
PyObject* compare_elements(PyObject* self, PyObject* other, int operation) {
  const bool is_other = is_element_type(reinterpret_cast<PyObject*>(Py_TYPE(other)));
  if (!is_other || (operation != Py_EQ && operation != Py_NE)) {
    return Py_NewRef(Py_NotImplemented);
  }
  const bool is_same = &node_of(self) == &node_of(other);
  return PyBool_FromLong(is_same == (operation == Py_EQ) ? 1 : 0);
}

Py_hash_t hash_element(PyObject* self) {
  const auto hash = static_cast<Py_hash_t>(std::hash<const dom::Node*>()(&node_of(self)) >> 6);
  return hash == -1 ? -2 : hash;
}

PyGetSetDef element_getters[] = {
    {"name", get_element_name, nullptr, "The name: \"a\".", nullptr},
    {"text", get_element_text, nullptr, "The text, as a reader sees it.", nullptr},
    {"attributes", get_attributes, nullptr, "The attributes by their names.", nullptr},
    {"html", get_element_html, nullptr, "The element and what is in it, as HTML.", nullptr},
    {"markdown", get_element_markdown, nullptr, "What is in the element, as Markdown.", nullptr},
    {"parent", get_parent, nullptr, "The element around it, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef element_methods[] = {
    {"find_all", select_below, METH_O, "Return the matching elements in this one."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot element_slots[] = {{Py_tp_new, reinterpret_cast<void*>(refuse_new_element)},
                               {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_element)},
                               {Py_tp_getset, element_getters},
                               {Py_tp_methods, element_methods},
                               {Py_tp_richcompare, reinterpret_cast<void*>(compare_elements)},
                               {Py_tp_hash, reinterpret_cast<void*>(hash_element)},
                               {Py_tp_doc, const_cast<char*>("An element of a page.")},
                               {0, nullptr}};

PyType_Spec element_spec = {.name = "gossamer._core.Element",
                            .basicsize = sizeof(ElementObject),
                            .itemsize = 0,
                            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                            .slots = element_slots};

}  // namespace

bool add_element_type(PyObject* module) { return add_type(module, "Element", element_spec); }

PyObject* find_elements(PyObject* page, const dom::Node* from, PyObject* selector, PyObject* type) {
  if (!check_type(is_element_type(type), "a class of elements")) return nullptr;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(selector, &size);
  if (text == nullptr) return nullptr;
  std::optional<Result<std::vector<const dom::Node*>>> found;
  {
    const WithoutGil others_run;
    found.emplace(content_of(page).select({text, static_cast<std::size_t>(size)}, from));
  }
  if (!*found) {
    set_error(PyExc_ValueError, found->error().message());
    return nullptr;
  }
  Ref list(PyList_New(0));
  for (const dom::Node* const node : **found) {
    if (!list) return nullptr;
    const Ref element(make_element(reinterpret_cast<PyTypeObject*>(type), page, *node));
    if (!element || PyList_Append(list.get(), element.get()) != 0) return nullptr;
  }
  return list.release();
}

}  // namespace gossamer::python

#include "bindings/python/record_values.h"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>

#include "record/record_fields.h"

namespace gossamer::python {
namespace {

using crawler::FieldKind;
using crawler::FieldValue;
using crawler::RecordField;

PyObject* load_json(std::string_view json) {
  const Ref module(PyImport_ImportModule("json"));
  const Ref text(to_str(json));
  if (!module || !text) return nullptr;
  return PyObject_CallMethod(module.get(), "loads", "O", text.get());
}

// No value is None.
PyObject* to_object(FieldKind kind, const FieldValue& value) {
  if (value.state != FieldValue::State::given) return Py_NewRef(Py_None);
  if (value.is_json) return load_json(value.text);
  switch (kind) {
    case FieldKind::text: return to_str(value.text);
    case FieldKind::number: return PyLong_FromUnsignedLongLong(value.number);
    case FieldKind::decimal: return PyFloat_FromDouble(value.decimal);
    case FieldKind::boolean: return PyBool_FromLong(value.boolean ? 1 : 0);
  }
  return nullptr;
}

PyObject* get_field(PyObject* page, void* closure) {
  const auto& field = *static_cast<const RecordField*>(closure);
  return guarded([&] {
    std::string scratch;
    return to_object(field.kind, field.value(record_of(page), scratch));
  });
}

std::string_view group_of(const RecordField& field) {
  return field.name.substr(0, field.name.find('.'));
}

// Returns a dict of the members that are there. `closure` is the first member of the object.
PyObject* get_group(PyObject* page, void* closure) {
  const auto* const first = static_cast<const RecordField*>(closure);
  return guarded([&]() -> PyObject* {
    Ref dict(PyDict_New());
    std::string scratch;
    const auto fields = crawler::record_fields();
    for (const RecordField* field = first; field != fields.data() + fields.size(); ++field) {
      if (group_of(*field) != group_of(*first)) break;
      const FieldValue value = field->value(record_of(page), scratch);
      if (value.state == FieldValue::State::absent) continue;
      const Ref key(to_str(field->name.substr(group_of(*field).size() + 1)));
      const Ref object(to_object(field->kind, value));
      if (!dict || !key || !object) return nullptr;
      if (PyDict_SetItem(dict.get(), key.get(), object.get()) != 0) return nullptr;
    }
    return dict.release();
  });
}

}  // namespace

std::vector<PyGetSetDef> with_record_fields(std::span<const PyGetSetDef> own) {
  static std::deque<std::string> names;  // Python keeps pointers to them
  std::vector<PyGetSetDef> all(own.begin(), own.end());
  for (const RecordField& field : crawler::record_fields()) {
    const std::string_view name = group_of(field);
    if (std::ranges::find(all, name, &PyGetSetDef::name) != all.end()) continue;
    if (field.use == crawler::FieldUse::named) continue;  // pages have them in another form
    const bool is_group = name.size() < field.name.size();
    all.push_back({.name = names.emplace_back(name).c_str(),
                   .get = is_group ? get_group : get_field,
                   .set = nullptr,
                   .doc = is_group ? "An object of the record." : field.meaning.data(),
                   .closure = const_cast<RecordField*>(&field)});
  }
  all.push_back({});
  return all;
}

}  // namespace gossamer::python

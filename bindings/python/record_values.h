// The fields of a record as attributes of pages, by the table of fields.
#pragma once

#include <span>
#include <vector>

#include "bindings/python/object.h"
#include "record/record.h"

namespace gossamer::python {

// Returns the attributes `own`, one for each other field or object of fields ("timings"), and the
// end of the list.
std::vector<PyGetSetDef> with_record_fields(std::span<const PyGetSetDef> own);

// Returns the record of a page.
const crawler::FetchRecord& record_of(PyObject* page);

}  // namespace gossamer::python

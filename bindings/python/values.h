// Counts and results of a crawl as Python values.
#pragma once

#include <string_view>

#include "bindings/python/object.h"
#include "record/statistics.h"
#include "run/control/crawl_progress.h"
#include "run/failure.h"

namespace gossamer::python {

// The name of what failed.
std::string_view name_of(run::Part part);

// Return a new dict; nullptr after a Python exception.
PyObject* to_dict(const run::CrawlProgress& progress);
PyObject* to_dict(const crawler::Statistics& statistics);

}  // namespace gossamer::python

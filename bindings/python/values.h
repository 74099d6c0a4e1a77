// Counts and results of a crawl as Python values.
#pragma once

#include "bindings/python/object.h"
#include "crawl/statistics.h"
#include "run/crawl_progress.h"

namespace gossamer::python {

// Return a new dict; nullptr after a Python exception.
PyObject* to_dict(const run::CrawlProgress& progress);
PyObject* to_dict(const crawler::Statistics& statistics);

}  // namespace gossamer::python

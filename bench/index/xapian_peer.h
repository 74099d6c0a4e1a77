#pragma once

#include <optional>
#include <string>

#include "bench/index/documents.h"

namespace gossamer::bench {

// Indexes the pages with Xapian, by its Python module. Returns the processor time in nanoseconds,
// without the start of Python; nothing if the module is not installed.
std::optional<double> xapian_cpu_ns(const IndexedDocuments& documents, const std::string& folder);

}  // namespace gossamer::bench

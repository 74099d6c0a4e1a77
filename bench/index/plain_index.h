// The floor: FTS5 as it comes, with its own tokenizer, and the texts compressed once.
#pragma once

#include <string>

#include "bench/index/documents.h"

namespace gossamer::bench {

// Commits as often as our writer does.
void fill_plain_index(const IndexedDocuments& documents, const std::string& path);

}  // namespace gossamer::bench

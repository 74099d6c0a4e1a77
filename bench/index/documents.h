// The pages that are indexed: all of postgresql-doc-15, python3.11-doc and
// cppreference-doc-en-html.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "index/page_text.h"
#include "index/search_writer.h"

namespace gossamer::bench {

struct IndexedDocument {
  std::string url;
  index::PageText text;

  std::size_t text_bytes() const { return text.main.size() + text.rest.size(); }
};

struct IndexedDocuments {
  std::vector<IndexedDocument> pages;
  std::size_t text_bytes = 0;
  double html_bytes = 0;
  double read_cpu_ns = 0;  // what extracting the texts took
};

// With `quick`, every tenth page. The first call reads them. Prints missing packages on stderr.
const IndexedDocuments& indexed_documents(bool quick);

// Adds all pages to a new index.
void fill_index(const IndexedDocuments& documents, const std::string& path);

// Fills a new index with as many pages as wanted. Their texts consist of parts of the pages, so
// that words are as frequent as in them.
void fill_large_index(const IndexedDocuments& documents, std::size_t pages,
                      const std::string& path);

}  // namespace gossamer::bench

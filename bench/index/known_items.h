// Known-item search: queries with the one page that answers each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::bench {

struct KnownItem {
  std::string query;
  std::string
      page;  // "python/library/csv.html": a name of KnownItems::manuals, and a file below it
};

// A manual that is searched: the pages in a folder, below a name.
struct Manual {
  std::string_view name;
  std::string_view package;
  std::string_view folder;
  // The index that queries were drawn from; it has all of them, so it is left out.
  std::string_view index = {};
};

struct KnownItems {
  std::string_view name;
  std::vector<Manual> manuals;
  std::vector<KnownItem> items;
};

// Queries that people wrote for the manuals of Python and PostgreSQL, from the test data; no items
// if there are none.
KnownItems written_queries();
// Entries of the indexes of three other manuals (draw_entries.py).
KnownItems index_entries();

}  // namespace gossamer::bench

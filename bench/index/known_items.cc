#include "bench/index/known_items.h"

#include <cstdlib>
#include <fstream>

namespace gossamer::bench {
namespace {

std::string testdata_folder() {
  const char* const given = std::getenv("GOSSAMER_TESTDATA");
  if (given != nullptr && *given != '\0') return given;
  return GOSSAMER_SOURCE_DIR "/../shared/testdata";
}

std::vector<KnownItem> known_items_in(const std::string& path) {
  std::vector<KnownItem> items;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) items.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return items;
}

}  // namespace

KnownItems written_queries() {
  return {.name = "written queries",
          .manuals = {{"python", "python3.11-doc", "/usr/share/doc/python3.11/html"},
                      {"pg", "postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html"}},
          .items = known_items_in(testdata_folder() + "/search/queries.tsv")};
}

KnownItems index_entries() {
  return {.name = "entries of indexes",
          .manuals = {{"exim", "exim4-doc-html", "/usr/share/doc/exim4-doc-html/spec_html",
                       "ch-concept_index.html"},
                      {"octave", "octave-doc", "/usr/share/doc/octave/octave.html",
                       "Concept-Index.html"},
                      {"zsh", "zsh-doc", "/usr/share/doc/zsh-common/html", "Concept-Index.html"}},
          .items = known_items_in(GOSSAMER_SOURCE_DIR "/bench/index/index_entries.tsv")};
}

}  // namespace gossamer::bench

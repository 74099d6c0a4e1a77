#include "cluster/function_library.h"

#include "base/check.h"

namespace gossamer::cluster {

std::string library_source() {
  std::string source;
  // A file uses local functions of those before it.
  for (const std::string_view name : {"partition.lua", "lease.lua", "level.lua", "crawl.lua"}) {
    const base::EmbeddedFile* const file = base::find_file(function_files(), name);
    CHECK(file != nullptr);
    if (!source.empty()) source += '\n';
    source += file->bytes;
  }
  return source;
}

}  // namespace gossamer::cluster

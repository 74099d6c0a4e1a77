// Makes the index and the package of a complete archive. All functions block; do not call them on
// a loop's thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/archive_files.h"
#include "warc/cdxj.h"
#include "warc/wacz.h"

namespace gossamer::store {

// Returns the index entries of a file, in order. Stops at damage.
Result<std::vector<warc::CdxjEntry>> index_of_file(ArchiveFiles& files, const std::string& name);

struct PackagePlan {
  std::vector<std::string> archives;  // names
  std::string_view index;             // sorted lines
  std::string_view pages;             // lines of pages.jsonl, including the first one
  WallTime date;
  warc::WaczFacts about;
};

// Writes WACZ 1.1.1 atomically. Reads each archive twice, since its digest is stored before it.
Result<void> write_package(ArchiveFiles& files, const std::string& name, const PackagePlan& plan);

}  // namespace gossamer::store

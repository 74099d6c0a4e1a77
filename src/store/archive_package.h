// What is made of an archive when it is whole: the index, and a package of all of it. All of this
// blocks: not for a loop's thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/archive_files.h"
#include "warc/cdxj.h"
#include "warc/wacz.h"

namespace gossamer::store {

// The entries of a file, in its order, under the name that it has. Damage ends it.
Result<std::vector<warc::CdxjEntry>> index_of_file(ArchiveFiles& files, const std::string& name);

struct PackagePlan {
  std::vector<std::string> archives;  // names
  std::string_view index;             // sorted lines
  std::string_view pages;             // lines of pages.jsonl, the first one included
  WallTime date;
  warc::WaczFacts about;
};

// WACZ 1.1.1, whole or not at all. Reads each archive twice: its digest stands before it.
Result<void> write_package(ArchiveFiles& files, const std::string& name, const PackagePlan& plan);

}  // namespace gossamer::store

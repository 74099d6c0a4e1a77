// What is made of an archive when it is whole: the index, and a package of all of it. All of this
// blocks: not for a loop's thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "warc/cdxj.h"
#include "warc/wacz.h"

namespace gossamer::store {

// The entries of a file, in its order, under the name that it has. Damage ends it.
Result<std::vector<warc::CdxjEntry>> index_of_file(const std::string& path);

// A file that is there whole or not at all: written under another name, synced, renamed.
Result<void> write_whole_file(const std::string& path, std::string_view content);

struct PackagePlan {
  std::vector<std::string> archives;  // paths
  std::string_view index;             // sorted lines
  std::string_view pages;             // lines of pages.jsonl, the first one included
  WallTime date;
  warc::WaczFacts about;
};

// WACZ 1.1.1, whole or not at all. Reads each archive twice: its digest stands before it.
Result<void> write_package(const std::string& path, const PackagePlan& plan);

}  // namespace gossamer::store

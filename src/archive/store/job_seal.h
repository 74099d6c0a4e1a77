#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::store {

// The seal of a crawl directory lists its files as the last run left them, each with its size and a
// checksum of its end. Tables have checksums of their own, but tables without their last file, or
// with an older list of their files, look whole. docs/formats/job.md describes the file.
//
// A running or killed crawl has no seal.

// What differs from the seal: "tables/000012.sst is missing".
struct SealDamage {
  std::vector<std::string> job;      // the settings, the tables, or the seal itself
  std::vector<std::string> archive;  // the rows about these files are right
};

// Returns the seal of a directory in which nothing writes. Fails with the error of the system.
Result<std::string> seal_of(const std::string& folder);
// Compares the files with their seal. Fails with the error of the system if a file cannot be read.
Result<SealDamage> compare_with_seal(const std::string& folder, std::string_view seal);

}  // namespace gossamer::store

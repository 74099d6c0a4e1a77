#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "http/request.h"

namespace gossamer::run {

// How a crawl is archived (WARC).
struct ArchiveSettings {
  std::string file;  // NAME of NAME-00001.warc.gz, may include a folder; empty: no archive
  std::uint64_t max_size = 1'000'000'000;  // of one file
  bool has_index = false;                  // NAME.cdxj
  bool has_package = false;                // NAME.wacz
  bool drops_copies = false;               // revisit records for bodies that are stored already
  bool lists_links = false;                // metadata records
  std::vector<http::Field> about;          // for warcinfo records

  bool is_wanted() const { return !file.empty(); }
};

}  // namespace gossamer::run

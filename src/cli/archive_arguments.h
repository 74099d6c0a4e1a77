#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/request.h"

namespace gossamer::cli {

class Arguments;
struct CrawlArguments;

// How a crawl is to be archived, as the command line says it.
struct ArchiveArguments {
  std::string file;  // NAME, perhaps behind a folder; empty: not at all
  std::uint64_t max_size = 1'000'000'000;
  bool has_index = false;
  bool has_package = false;
  bool drops_copies = false;       // revisit records for what is there already
  bool lists_links = false;        // metadata records
  std::vector<http::Field> about;  // for warcinfo records

  bool is_wanted() const { return !file.empty(); }
};

// The options about archives. BORROWS: all, until they are parsed.
void declare_archive(Arguments& declared, ArchiveArguments& archive);

// Has the crawl keep what the archive needs. Fails with Errc::invalid_argument.
Result<void> settle_archive(CrawlArguments& arguments);

}  // namespace gossamer::cli

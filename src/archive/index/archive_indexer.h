// Fills a search index from archives: of a crawl directory, or of any other tool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/search_writer.h"

namespace gossamer::index {

struct IndexCounts {
  std::uint64_t added = 0;
  std::uint64_t known = 0;       // captures that the index already had
  std::uint64_t unresolved = 0;  // revisits of pages that are in none of the archives so far
  std::uint64_t faults = 0;      // damaged places and unreadable files
  std::uint64_t unreadable = 0;  // files that could not be read, or not to their end
};

struct IndexEvents {
  // Called after each batch. Empty: not at all.
  std::move_only_function<void(const IndexCounts& counts)> on_progress;
  // Receives damage: the file and the reason. Empty: it is only counted.
  std::move_only_function<void(const std::string& file, const std::string& reason)> on_fault;
  // True to stop early. Everything so far is committed. Empty: never.
  std::move_only_function<bool()> is_stopped;
};

// Adds the archives of a replaced index (SearchWriter::former_archives()) that exist and are not in
// the list yet.
void add_former_archives(const SearchWriter& writer, std::vector<std::string>& paths);

// Returns the archives that a user means: a file is itself, a folder has those in it and in its
// folder `archive`, WARC before packages. Fails with the error of the system, and with
// Errc::not_found if the file does not exist or a folder has none.
Result<std::vector<std::string>> find_archives(const std::string& named);

// Returns the name of an archive in an index.
ArchiveName archive_name(const std::string& index_path, const std::string& archive_path,
                         std::string member = {});

// BOUND: how much of an archive its fingerprint covers. It has the id of the first record.
inline constexpr std::size_t kFingerprintBytes = 1024;
// Returns the position at an offset of an archive that begins like this. An archive that grows
// keeps the fingerprint.
ArchivePosition archive_position(std::string_view begin, std::uint64_t offset) noexcept;
// Returns the first kFingerprintBytes of a file, or fewer if it is shorter or cannot be read.
std::string archive_begin(const std::string& path);

// Adds all pages of the archives that are not in the index yet, and commits them. A file that an
// earlier run has read is read on where that ended. An archive that cannot be read counts as a
// fault, and the others are indexed. Fails if the index cannot be written.
Result<IndexCounts> index_archives(SearchWriter& writer, const std::vector<std::string>& paths,
                                   IndexEvents events = {});

}  // namespace gossamer::index

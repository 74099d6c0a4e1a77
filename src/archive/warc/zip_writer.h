// Writes ZIP files with uncompressed members, as WACZ requires: readers can seek in the archives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"

namespace gossamer::warc {

// Returns the checksum of the earlier bytes (0 at the start) and these.
std::uint32_t crc32_of(Bytes bytes, std::uint32_t before = 0) noexcept;

// Produces the bytes between the contents; the caller writes the contents.
//
//   file += writer.begin("archive/data.warc.gz", size, crc, date);
//   file += content;
//   file += writer.finish();
class ZipWriter {
 public:
  // REQUIRES: is_safe_entry_name(name); the content follows, and has that size.
  std::string begin(std::string_view name, std::uint64_t bytes, std::uint32_t crc32, WallTime date);
  // Returns the central directory, which ends the file.
  std::string finish();

  // Returns the length of the file, including all contents begun.
  std::uint64_t size() const noexcept { return position_; }

 private:
  struct Entry {
    std::string name;
    std::uint64_t bytes;
    std::uint64_t offset;
    std::uint32_t crc32;
    std::uint32_t dos_time;
  };

  std::vector<Entry> entries_;
  std::uint64_t position_ = 0;
};

}  // namespace gossamer::warc

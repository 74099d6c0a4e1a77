// Writes ZIP files whose members are stored as they are, which is what WACZ wants: archives in them
// can be read from the middle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"

namespace gossamer::warc {

// Of what was before (0 at the start) and these bytes.
std::uint32_t crc32_of(Bytes bytes, std::uint32_t before = 0) noexcept;

// Gives the bytes between the contents; the contents are written by the caller.
//
//   file += writer.begin("archive/data.warc.gz", size, crc, date);
//   file += content;
//   file += writer.finish();
class ZipWriter {
 public:
  // REQUIRES: a name that is_safe_entry_name() likes; the content follows, and has that size.
  std::string begin(std::string_view name, std::uint64_t bytes, std::uint32_t crc32, WallTime date);
  // The directory. The file ends with it.
  std::string finish();

  // How long the file is with the contents that were begun.
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

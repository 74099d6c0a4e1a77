// Finds the end of the last whole record in an archive after a crash.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "warc/archive_reader.h"

namespace gossamer::warc {

// Feed it the file from its beginning, or from the end of any record.
//
//   WholeTail tail;
//   for (...) tail.feed(piece);
//   file.truncate(tail.finish());
class WholeTail {
 public:
  void feed(Bytes piece);
  // Returns how many bytes are whole records, each in its own member or uncompressed, including the
  // line ends after them. Nothing after the first damage counts.
  std::uint64_t finish();

 private:
  void run(Bytes input);

  ArchiveReader reader_;
  std::uint64_t fed_ = 0;
  std::uint64_t whole_ = 0;
  bool is_damaged_ = false;
};

}  // namespace gossamer::warc

// How much of an archive is whole that was being written when the power went.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "warc/archive_reader.h"

namespace gossamer::warc {

// Is fed the file from its beginning, or from the end of any record.
//
//   WholeTail tail;
//   for (...) tail.feed(piece);
//   file.truncate(tail.finish());
class WholeTail {
 public:
  void feed(Bytes piece);
  // How many of the bytes are whole records, each in a member of its own or without compression,
  // with the line ends behind them. Behind the first damage nothing counts, even if it is whole.
  std::uint64_t finish();

 private:
  void run(Bytes input);

  ArchiveReader reader_;
  std::uint64_t fed_ = 0;
  std::uint64_t whole_ = 0;
  bool is_damaged_ = false;
};

}  // namespace gossamer::warc

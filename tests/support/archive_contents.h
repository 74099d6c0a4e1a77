// For tests: the contents of an archive, read in pieces of one size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "warc/archive_reader.h"

namespace gossamer::support {

struct ArchivedRecord {
  warc::RecordHead head;
  warc::Extent extent;
  std::string block;
};

struct ArchiveContents {
  std::vector<ArchivedRecord> records;
  std::vector<warc::Fault> faults;
  // The number of records that had begun before the first fault.
  std::size_t records_before_fault = 0;
};

inline ArchiveContents read_archive(std::string_view bytes, std::size_t piece_bytes,
                                    const warc::ArchiveLimits& limits = {}) {
  using Kind = warc::ArchiveReader::Step::Kind;
  ArchiveContents contents;
  warc::ArchiveReader reader(limits);
  bool is_inside = false;
  // A separate block for every piece, so that sanitizers detect overreads and stale views.
  std::vector<std::byte> piece;
  Bytes input;
  while (true) {
    const auto step = reader.next(input);
    input = input.subspan(step.consumed);
    switch (step.kind) {
      case Kind::need_input: {
        CHECK(input.empty());
        const Bytes next = as_bytes(bytes.substr(0, piece_bytes));
        bytes.remove_prefix(next.size());
        if (next.empty()) reader.finish();
        piece = std::vector<std::byte>(next.begin(), next.end());
        input = piece;
        break;
      }
      case Kind::record:
        CHECK(!is_inside);
        is_inside = true;
        contents.records.push_back({.head = reader.head(), .extent = {}, .block = {}});
        break;
      case Kind::block:
        CHECK(is_inside);
        contents.records.back().block += as_text(step.block);
        break;
      case Kind::record_end:
        CHECK(is_inside);
        is_inside = false;
        contents.records.back().extent = reader.extent();
        break;
      case Kind::fault:
        if (contents.faults.empty()) contents.records_before_fault = contents.records.size();
        contents.faults.push_back(reader.fault());
        break;
      case Kind::end: CHECK(!is_inside); return contents;
    }
  }
}

inline ArchiveContents read_archive(std::string_view bytes) {
  return read_archive(bytes, std::max<std::size_t>(bytes.size(), 1));
}

}  // namespace gossamer::support

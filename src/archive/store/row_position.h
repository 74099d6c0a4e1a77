#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "store/beneath.h"

namespace gossamer::store {

// How far the rows of tables go, in a small file beside them: neither RocksDB nor SQLite can tell a
// log that lost its end from one that was never longer. Positions are the sequence numbers of
// RocksDB, where each change of a row has one, or the commits of a search index.
// docs/formats/job.md describes the file.
struct RowPosition {
  std::uint64_t written = 0;  // survives a crash of the process
  std::uint64_t synced = 0;   // survives a power cut
  std::string boot;           // identifies the time between two starts of the machine
};

std::string pack_row_position(const RowPosition& position);
// Empty: the text is damaged.
std::optional<RowPosition> unpack_row_position(std::string_view text);

// Writes positions; several writers may share a file. Failures are ignored, since they lose no row.
// All functions are thread-safe.
class RowPositionFile {
 public:
  // Begins anew at `written`.
  RowPositionFile(const Folder& folder, const std::string& name, std::uint64_t written);

  void note_written(std::uint64_t written);
  void note_synced(std::uint64_t synced);
  // Removes the file and writes no more. Returns false if another writer has it, in this process
  // or in another one: then it stays.
  bool remove(const Folder& folder, const std::string& name);

 private:
  void write() const;

  mutable std::mutex mutex_;  // guards the position
  RowPosition position_;
  FileHandle file_;
};

// The position up to which the tables must have all rows. What the system had not yet written to
// the disk when the power was cut does not count. 0: nothing is known.
std::uint64_t expected_position(const Folder& folder, const std::string& name);

}  // namespace gossamer::store

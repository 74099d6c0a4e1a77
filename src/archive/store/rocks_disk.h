#pragma once

#include <rocksdb/env.h>

#include <memory>
#include <optional>

#include "base/error.h"
#include "store/beneath.h"

namespace gossamer::store {

// The disk below RocksDB. It has one folder, in which every file is opened beneath the folder, and
// no link is followed: RocksDB opens files by their paths, at any time.
//
// RocksDB ends the process with an assertion when it uses a file on which a
// write has failed. So after the first failure this one ignores all changes and reports success:
// RocksDB continues in memory, and the files stay as they were, as if the process had been killed.
// Code that writes to the tables checks failure() after each write. All functions are
// thread-safe.
class RocksDisk {
 public:
  explicit RocksDisk(Folder folder);
  ~RocksDisk();
  RocksDisk(const RocksDisk&) = delete;
  RocksDisk& operator=(const RocksDisk&) = delete;

  // BORROWS: nothing; the environment lives as long as this.
  rocksdb::Env* env() const noexcept { return env_.get(); }
  const Folder& folder() const noexcept;
  // The first failure: Errc::no_space or Errc::io_failed. Empty: there is none.
  std::optional<Error> failure() const;

 private:
  class Files;
  std::shared_ptr<Files> files_;
  std::unique_ptr<rocksdb::Env> env_;
};

}  // namespace gossamer::store

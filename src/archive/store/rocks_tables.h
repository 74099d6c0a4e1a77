#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/beneath.h"
#include "store/tables.h"

namespace gossamer::store {

struct RocksOptions {
  // The approximate memory of RocksDB: unwritten changes and its cache.
  std::size_t memory_bytes = 96 * 1024 * 1024;
  // Nothing is written while less than this is free: RocksDB does not recover well from a full
  // disk.
  std::uint64_t room_min = 1024 * 1024;
  // Opens the tables for reading only. Later changes of a concurrent writer are not visible.
  bool is_read_only = false;
};

// Tables in a folder, stored by RocksDB. Follows no links in the folder, and the folder must not be
// one. All functions are thread-safe.
class RocksTables final : public Tables {
 public:
  // Creates the tables if necessary. Fails with Errc::malformed if they are damaged, with
  // Errc::io_failed, with Errc::no_space, with Errc::no_resources if threads or memory are missing,
  // and with Errc::not_found if they are read-only and do not exist.
  static Result<std::unique_ptr<RocksTables>> open(const std::string& folder,
                                                   const RocksOptions& options = {});
  ~RocksTables() override;

  // How many changes were missing at the end of the log when the tables were opened for writing.
  // The tables are as they were before these changes.
  std::uint64_t lost_changes() const noexcept;

  Result<void> write(const Batch& batch) override;
  Result<void> sync() override;
  Result<void> close() override;
  Result<std::optional<std::string>> get(Table table, std::string_view key) const override;
  Result<void> scan(Table table, std::string_view from, Use use) const override;
  Result<void> scan_back(Table table, std::string_view before, Use use) const override;

 private:
  struct Opened;
  struct State;
  static Result<std::unique_ptr<Opened>> open_database(const Folder& folder,
                                                       const RocksOptions& options);
  Result<void> reopen();
  explicit RocksTables(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace gossamer::store

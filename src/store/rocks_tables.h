#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/tables.h"

namespace gossamer::store {

struct RocksOptions {
  // What RocksDB may hold in memory, roughly: what is not written to tables yet, and its cache.
  std::size_t memory_bytes = 96 * 1024 * 1024;
  // Nothing is written while less than this is free: RocksDB does not take it well when the disk
  // is full in the middle of something.
  std::uint64_t room_min = 1024 * 1024;
  // Tables are looked into only; there may be a writer besides, whose later changes are not seen.
  bool is_read_only = false;
};

// Tables in a folder, by RocksDB. Any thread may call any of it.
class RocksTables final : public Tables {
 public:
  // Makes them if there are none. Fails with Errc::io_failed, Errc::no_space, and with
  // Errc::not_found if they are only to be read and are not there.
  static Result<std::unique_ptr<RocksTables>> open(const std::string& folder,
                                                   const RocksOptions& options = {});
  ~RocksTables() override;

  Result<void> write(const Batch& batch) override;
  Result<void> sync() override;
  Result<std::optional<std::string>> get(Table table, std::string_view key) const override;
  Result<void> scan(Table table, std::string_view from, Use use) const override;
  Result<void> scan_back(Table table, std::string_view before, Use use) const override;

 private:
  struct State;
  explicit RocksTables(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace gossamer::store

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "scope/run_storage.h"

namespace gossamer::store {

// Stores runs of keys in one unnamed file, which disappears with the process.
//
// Each place has two halves: one holds the run, the other one receives the next. So a failed write
// keeps the previous run. Unused parts take no space on the disk.
class RunFile final : public crawler::RunStorage {
 public:
  // The file is created by the first write. BORROWS: nothing.
  explicit RunFile(std::string folder) : folder_(std::move(folder)) {}
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;
  ~RunFile() override;

  // Fails with Errc::no_space and Errc::io_failed.
  Result<void> write(std::size_t place, std::span<const std::uint64_t> keys) override;
  Result<void> read(std::size_t place, std::size_t first,
                    std::span<std::uint64_t> keys) const override;

 private:
  // BOUND: 2^30 keys per run.
  static constexpr std::uint64_t kHalfBytes = std::uint64_t{8} << 30;

  Result<void> open();
  static std::uint64_t start_of(std::size_t place, bool is_second) noexcept {
    return (2 * std::uint64_t{place} + (is_second ? 1 : 0)) * kHalfBytes;
  }
  void release(std::size_t place, bool is_second) const noexcept;

  const std::string folder_;
  int file_ = -1;
  std::vector<bool> is_in_second_;  // per place
};

}  // namespace gossamer::store

// The keys of a seen set that do not fit into memory: sorted runs in storage, one per segment of
// the set. In memory are a filter (ten bits per key), which rejects nearly all keys that are not
// stored, a fence for each block, which gives the block of a key, and the recently requested keys.
// So a new key costs one cache line, and a seen one costs reading one block the first time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "scope/run_storage.h"

namespace gossamer::crawler {

class SpilledKeys {
 public:
  using OnFailure = std::move_only_function<void(const Error& error)>;

  // `runs` is the number of runs; `recent_bytes` is the memory of recently requested keys.
  // BORROWS: the storage.
  SpilledKeys(RunStorage& storage, std::size_t runs, std::size_t recent_bytes,
              OnFailure on_failure);

  // Returns whether the key is stored; exact. If reading fails, it returns true and reports the
  // failure; the caller must not continue.
  // REQUIRES: the key is not kNone, and `run` is the only run that may contain it.
  bool contains(std::size_t run, std::uint64_t key);
  // Adds keys to a run; they are sorted and new. If it fails, nothing is added.
  Result<void> add(std::size_t run, std::span<const std::uint64_t> keys);

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

 private:
  static constexpr std::size_t kBlockKeys = 512;  // read together: 4 KiB

  struct Run {
    std::size_t size = 0;
    std::vector<std::uint64_t> fences;  // the first key of each block
    std::vector<std::uint64_t> filter;  // lines of 512 bits
  };

  static void build(Run& run, std::span<const std::uint64_t> keys);
  static bool may_have(const Run& run, std::uint64_t key) noexcept;
  std::optional<bool> look_up(std::size_t index, std::uint64_t key);
  std::uint64_t& recent(std::uint64_t key) noexcept;

  RunStorage& storage_;
  OnFailure on_failure_;
  std::vector<Run> runs_;
  std::unique_ptr<std::uint64_t[]> recent_;
  std::size_t recent_size_;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;  // of fences and filters
};

}  // namespace gossamer::crawler

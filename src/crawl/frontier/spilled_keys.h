// The keys of a seen set that have no room in memory: in storage as sorted runs, one for each
// segment of the set. In memory is what tells in nearly all cases that a key is not among them (a
// filter, ten bits a key), where it must stand if it is (a fence for each block), and those that
// were asked for a moment ago. So a key that was never seen costs a look at one cache line, and
// one that was costs reading one block, the first time.
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
#include "crawl/frontier/run_storage.h"

namespace gossamer::crawler {

class SpilledKeys {
 public:
  using OnFailure = std::move_only_function<void(const Error& error)>;

  // `runs` is how many; `recent_bytes` is for what was asked for a moment ago. BORROWS: the
  // storage.
  SpilledKeys(RunStorage& storage, std::size_t runs, std::size_t recent_bytes,
              OnFailure on_failure);

  // Exact. What cannot be read is taken for there, and told: whoever relies on it must not go on.
  // REQUIRES: the key is not kNone, and is asked for in the one run that it could be in.
  bool contains(std::size_t run, std::uint64_t key);
  // Adds keys to a run. They are in ascending order, and none of them is there. Fails, and adds
  // nothing.
  Result<void> add(std::size_t run, std::span<const std::uint64_t> keys);

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

 private:
  static constexpr std::size_t kBlockKeys = 512;  // that are read at once: 4 KiB

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

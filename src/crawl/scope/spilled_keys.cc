#include "scope/spilled_keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/random.h"
#include "scope/scale_hash.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kFilterBitsPerKey = 10;
constexpr std::size_t kLineBits = 512;
constexpr std::size_t kLineWords = kLineBits / 64;
// Bits per key in its line: with ten bits per key, the rate of false positives is about 1 in 80.
constexpr int kBitsPerKey = 6;

// The positions of the bits of a key: its line, and nine bits for each. The keys of one run share
// their upper bits, so they are mixed again.
struct FilterPlace {
  FilterPlace(std::uint64_t key, std::size_t lines) noexcept {
    std::uint64_t state = key;
    line = static_cast<std::size_t>(scale_hash(base::splitmix64(state), lines)) * kLineWords;
    bits = base::splitmix64(state);
  }

  template <class Use>
  bool all(Use use) const {
    std::uint64_t rest = bits;
    for (int i = 0; i < kBitsPerKey; ++i, rest >>= 9) {
      const std::uint64_t bit = rest % kLineBits;
      if (!use(line + bit / 64, std::uint64_t{1} << bit % 64)) return false;
    }
    return true;
  }

  std::size_t line;
  std::uint64_t bits;
};

}  // namespace

SpilledKeys::SpilledKeys(RunStorage& storage, std::size_t runs, std::size_t recent_bytes,
                         OnFailure on_failure)
    : storage_(storage),
      on_failure_(std::move(on_failure)),
      runs_(runs),
      recent_size_(std::max<std::size_t>(1, recent_bytes / sizeof(std::uint64_t))) {
  recent_ = std::make_unique_for_overwrite<std::uint64_t[]>(recent_size_);
  std::fill_n(recent_.get(), recent_size_, kNone);
}

std::uint64_t& SpilledKeys::recent(std::uint64_t key) noexcept {
  return recent_[static_cast<std::size_t>(scale_hash(key * 0x9E3779B97F4A7C15, recent_size_))];
}

bool SpilledKeys::may_have(const Run& run, std::uint64_t key) noexcept {
  if (run.size == 0) return false;
  const FilterPlace place(key, run.filter.size() / kLineWords);
  return place.all(
      [&run](std::size_t word, std::uint64_t bit) { return (run.filter[word] & bit) != 0; });
}

bool SpilledKeys::contains(std::size_t run, std::uint64_t key) {
  std::uint64_t& recent_key = recent(key);
  if (recent_key == key) return true;
  if (!may_have(runs_[run], key)) return false;
  const std::optional<bool> is_there = look_up(run, key);
  if (is_there == true) recent_key = key;
  return is_there.value_or(true);
}

// Empty: it cannot be read.
std::optional<bool> SpilledKeys::look_up(std::size_t index, std::uint64_t key) {
  const Run& run = runs_[index];
  const auto behind = std::ranges::upper_bound(run.fences, key);
  if (behind == run.fences.begin()) return false;
  const std::size_t first = static_cast<std::size_t>(behind - run.fences.begin() - 1) * kBlockKeys;
  std::array<std::uint64_t, kBlockKeys> block;
  const std::span keys(block.data(), std::min(kBlockKeys, run.size - first));
  if (const auto read = storage_.read(index, first, keys); !read) {
    if (on_failure_) on_failure_(read.error());
    return std::nullopt;
  }
  return std::ranges::binary_search(keys, key);
}

// BOUND: while it works, two copies of the run are in memory.
Result<void> SpilledKeys::add(std::size_t index, std::span<const std::uint64_t> keys) {
  Run& run = runs_[index];
  std::vector<std::uint64_t> before(run.size);
  if (run.size > 0) {
    if (auto read = storage_.read(index, 0, before); !read) return read;
  }
  std::vector<std::uint64_t> merged(before.size() + keys.size());
  std::ranges::merge(before, keys, merged.begin());
  if (auto written = storage_.write(index, merged); !written) return written;
  bytes_ -= (run.fences.size() + run.filter.size()) * sizeof(std::uint64_t);
  build(run, merged);
  bytes_ += (run.fences.size() + run.filter.size()) * sizeof(std::uint64_t);
  size_ += keys.size();
  return {};
}

void SpilledKeys::build(Run& run, std::span<const std::uint64_t> keys) {
  run.size = keys.size();
  const std::size_t lines = keys.size() * kFilterBitsPerKey / kLineBits + 1;
  run.fences = std::vector<std::uint64_t>((keys.size() + kBlockKeys - 1) / kBlockKeys);
  run.filter = std::vector<std::uint64_t>(lines * kLineWords);
  for (std::size_t i = 0; i < keys.size(); i += kBlockKeys) run.fences[i / kBlockKeys] = keys[i];
  for (const std::uint64_t key : keys) {
    FilterPlace(key, lines).all([&run](std::size_t word, std::uint64_t bit) {
      run.filter[word] |= bit;
      return true;
    });
  }
}

std::size_t SpilledKeys::memory_bytes() const noexcept {
  return sizeof(*this) + runs_.size() * sizeof(Run) + recent_size_ * sizeof(std::uint64_t) + bytes_;
}

}  // namespace gossamer::crawler

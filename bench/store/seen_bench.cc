// Measures the seen set alone: ten million fingerprints are inserted, then present and missing ones
// are looked up in random order. The floor is the simplest table in memory: one array of the final
// size without growth, segments or salt. With spilling, the set has memory for a fraction of them,
// and the file is in the page cache.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "bench/store/benchmarks.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/memory.h"
#include "bench/support/temporary_folder.h"
#include "scope/scale_hash.h"
#include "scope/seen_set.h"
#include "store/run_file.h"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t kLookUps = 1'000'000;
constexpr std::uint64_t kPopular = 20'000;  // links that every page has
constexpr double kBytesMax = 12;

struct SeenCost {
  double insert_ns = 0;
  double hit_ns = 0;
  double popular_ns = 0;  // a hit among a few that are looked up often
  double miss_ns = 0;
  double bytes = 0;  // of the process, per fingerprint
};

std::uint64_t fingerprint(std::uint64_t number) {
  std::uint64_t state = number * 0x9E3779B97F4A7C15;
  return base::splitmix64(state);
}

// Linear probing at three quarters of its size.
class BareTable {
 public:
  explicit BareTable(std::uint64_t count)
      : size_(count * 4 / 3), slots_(std::make_unique<std::uint64_t[]>(size_ + 4096)) {}
  bool insert(std::uint64_t key) {
    std::uint64_t* slot = find(key);
    if (*slot == key) return false;
    *slot = key;
    return true;
  }
  bool contains(std::uint64_t key) const { return *find(key) == key; }

 private:
  std::uint64_t* find(std::uint64_t key) const {
    std::uint64_t* slot = slots_.get() + crawler::scale_hash(key, size_);
    while (*slot != 0 && *slot != key) ++slot;
    return slot;
  }
  std::uint64_t size_;
  std::unique_ptr<std::uint64_t[]> slots_;
};

template <class Set>
SeenCost measure(Set& set, std::uint64_t urls) {
  SeenCost cost;
  const double before = memory_use().resident;
  double begin = process_cpu_ns();
  for (std::uint64_t i = 0; i < urls; ++i) CHECK(set.insert(fingerprint(i)));
  cost.insert_ns = (process_cpu_ns() - begin) / static_cast<double>(urls);
  cost.bytes = (memory_use().resident - before) / static_cast<double>(urls);
  base::Random random(1);
  const auto look_up = [&](std::uint64_t first, std::uint64_t count, bool is_there) {
    const double start = process_cpu_ns();
    for (std::uint64_t i = 0; i < kLookUps; ++i) {
      CHECK(set.contains(fingerprint(first + random.below(count))) == is_there);
    }
    return (process_cpu_ns() - start) / static_cast<double>(kLookUps);
  };
  cost.hit_ns = look_up(0, urls, true);
  look_up(0, kPopular, true);
  cost.popular_ns = look_up(0, kPopular, true);
  cost.miss_ns = look_up(urls, urls, false);
  return cost;
}

SeenCost measure_bare(std::uint64_t urls) {
  BareTable table(urls);
  return measure(table, urls);
}

SeenCost measure_set(std::uint64_t urls, std::uint64_t bytes_max) {
  const TemporaryFolder folder;
  store::RunFile runs(folder.path());
  crawler::SeenSet seen(42);
  if (bytes_max > 0) seen.spill_to({.bytes_max = bytes_max, .storage = &runs});
  return measure(seen, urls);
}

}  // namespace

void seen_set(const Options& options, Report& report) {
  const std::uint64_t urls = options.quick ? 1'000'000 : 10'000'000;
  const SeenCost bare = measure_in_child([&] { return measure_bare(urls); });
  const auto add = [&](const std::string& title, const SeenCost& cost) {
    const auto figure = [&](std::string_view what, double value, std::string unit, double floor,
                            std::optional<double> target = {}) {
      report.add({.name = fmt::format("{}: {}", title, what),
                  .value = value,
                  .unit = std::move(unit),
                  .floor = floor,
                  .target = target});
    };
    figure("memory of a URL", cost.bytes, "B", sizeof(std::uint64_t), kBytesMax);
    figure("insert", cost.insert_ns, "ns", bare.insert_ns);
    figure("one that is there", cost.hit_ns, "ns", bare.hit_ns);
    figure("one of a few popular ones", cost.popular_ns, "ns", bare.popular_ns);
    figure("one that is not", cost.miss_ns, "ns", bare.miss_ns);
  };
  add(fmt::format("{} URLs seen", urls), measure_in_child([&] { return measure_set(urls, 0); }));
  // Memory for a quarter of them.
  add(fmt::format("{} URLs seen, most of them spilled", urls),
      measure_in_child([&] { return measure_set(urls, urls * 3); }));
}

}  // namespace gossamer::bench

// Tables on disk: sorted keys with values, changed in atomic batches. After a crash, a batch is
// present only if all earlier ones are.
//
// This is an interface, implemented by RocksDB and, in tests, by a simulated disk.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::store {

// The tables of a crawl directory; docs/formats/job.md describes them.
enum class Table : std::uint8_t {
  meta,
  origins,
  waiting,
  seen,
  pages,
  archived,
  skipped,
  payloads,
  changes,
};
inline constexpr std::size_t kTables = 9;
std::string_view name(Table table) noexcept;

// Changes that are written together.
struct Batch {
  struct Change {
    Table table;
    bool is_removal;
    std::string key;
    std::string value;
  };

  void put(Table table, std::string key, std::string value) {
    bytes += key.size() + value.size();
    changes.push_back({table, false, std::move(key), std::move(value)});
  }
  void remove(Table table, std::string key) {
    bytes += key.size();
    changes.push_back({table, true, std::move(key), {}});
  }
  void add(Batch more) {
    bytes += more.bytes;
    for (Change& change : more.changes) changes.push_back(std::move(change));
  }
  bool empty() const noexcept { return changes.empty(); }
  void clear() noexcept {
    changes.clear();
    bytes = 0;
  }

  std::vector<Change> changes;
  std::size_t bytes = 0;
};

class Tables {
 public:
  virtual ~Tables() = default;

  // The batch survives a crash of the process, and of the machine after sync(). Fails with
  // Errc::no_space if a later attempt may succeed, else with Errc::io_failed. May block for a
  // while.
  virtual Result<void> write(const Batch& batch) = 0;
  // Makes all batches so far survive a power cut. Blocks; do not call it on a loop's thread. A
  // failure is permanent.
  virtual Result<void> sync() = 0;
  // Completes the files of the tables, so that their checksums cover every row. They never change
  // afterwards. Blocks. Fails as write() does; nothing is lost then. REQUIRES: no further call.
  virtual Result<void> close() = 0;

  // The functions that read fail with Errc::malformed if the tables are damaged.
  // Empty: there is no such key.
  virtual Result<std::optional<std::string>> get(Table table, std::string_view key) const = 0;
  // Calls `use` for each key starting at `from`, in order, until it returns false or the table
  // ends. Concurrent changes are not visible.
  using Use = std::move_only_function<bool(std::string_view key, std::string_view value)>;
  virtual Result<void> scan(Table table, std::string_view from, Use use) const = 0;
  // The same backwards, from the last key before `before`.
  virtual Result<void> scan_back(Table table, std::string_view before, Use use) const = 0;
};

// Numbers in keys; the order of the bytes is the order of the numbers.
void append_big_endian(std::string& key, std::uint64_t number, int bytes = 8);
std::uint64_t read_big_endian(std::string_view key, int bytes = 8);

}  // namespace gossamer::store

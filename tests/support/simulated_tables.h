// For tests: tables in memory that fail like those on a disk.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/tables.h"

namespace gossamer::store {

class SimulatedTables final : public Tables {
 public:
  // A new process opens them.
  void reopen() {
    has_failed_ = false;
    failing_sync_ = std::numeric_limits<std::uint64_t>::max();
    write_faults_.clear();
  }
  // Simulates a power cut that keeps this many unsynced batches, the first ones.
  void cut_power(std::size_t batches_left) {
    contents_ = synced_;
    for (std::size_t i = 0; i < unsynced_.size() && i < batches_left; ++i)
      apply(unsynced_[i], contents_);
    synced_ = contents_;
    unsynced_.clear();
    reopen();
  }
  std::size_t unsynced() const { return unsynced_.size(); }

  // The n-th write or sync from now on fails with this error; 1 is the next.
  void fail_write(std::uint64_t n, Errc code) { write_faults_[writes_ + n] = code; }
  void fail_sync(std::uint64_t n) { failing_sync_ = syncs_ + n; }
  // While the disk is full, nothing can be written.
  void set_full(bool is_full) { is_full_ = is_full; }
  std::uint64_t writes() const { return writes_; }
  // From now on, this table cannot be read.
  void fail_reads(Table table) { is_unreadable_[index(table)] = true; }
  // The rows of this table that all scans have read, with the one after which each of them ended.
  std::size_t rows_read(Table table) const { return rows_read_[index(table)]; }

  Result<void> write(const Batch& batch) override {
    if (has_failed_) return fail(Errc::io_failed, "an earlier write to the tables failed");
    ++writes_;
    if (is_full_) return fail(Errc::no_space, "simulated");
    if (const auto fault = write_faults_.find(writes_); fault != write_faults_.end()) {
      has_failed_ = fault->second != Errc::no_space;
      return fail(fault->second, "simulated");
    }
    apply(batch, contents_);
    unsynced_.push_back(batch);
    return {};
  }

  Result<void> sync() override {
    if (has_failed_) return fail(Errc::io_failed, "an earlier write to the tables failed");
    if (++syncs_ == failing_sync_) {
      has_failed_ = true;
      return fail(Errc::io_failed, "simulated");
    }
    for (const Batch& batch : unsynced_) apply(batch, synced_);
    unsynced_.clear();
    return {};
  }

  Result<void> close() override {
    if (has_failed_) return fail(Errc::io_failed, "an earlier write to the tables failed");
    if (is_full_) return fail(Errc::no_space, "simulated");
    return {};
  }

  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    if (is_unreadable_[index(table)]) return unreadable();
    const auto& rows = contents_[index(table)];
    const auto found = rows.find(key);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  }

  Result<void> scan(Table table, std::string_view from, Use use) const override {
    if (is_unreadable_[index(table)]) return unreadable();
    const Rows& rows = contents_[index(table)];
    for (auto at = rows.lower_bound(from); at != rows.end(); ++at) {
      ++rows_read_[index(table)];
      if (!use(at->first, at->second)) break;
    }
    return {};
  }

  Result<void> scan_back(Table table, std::string_view before, Use use) const override {
    if (is_unreadable_[index(table)]) return unreadable();
    const Rows& rows = contents_[index(table)];
    for (auto at = rows.lower_bound(before); at != rows.begin();) {
      --at;
      ++rows_read_[index(table)];
      if (!use(at->first, at->second)) break;
    }
    return {};
  }

 private:
  using Rows = std::map<std::string, std::string, std::less<>>;

  static std::size_t index(Table table) { return static_cast<std::size_t>(table); }
  static std::unexpected<Error> unreadable() { return fail(Errc::io_failed, "simulated"); }

  static void apply(const Batch& batch, std::array<Rows, kTables>& contents) {
    for (const Batch::Change& change : batch.changes) {
      Rows& rows = contents[index(change.table)];
      if (change.is_removal) {
        rows.erase(change.key);
      } else {
        rows.insert_or_assign(change.key, change.value);
      }
    }
  }

  std::array<Rows, kTables> contents_;
  std::array<Rows, kTables> synced_;
  std::array<bool, kTables> is_unreadable_ = {};
  mutable std::array<std::size_t, kTables> rows_read_ = {};
  std::vector<Batch> unsynced_;
  std::map<std::uint64_t, Errc> write_faults_;
  std::uint64_t failing_sync_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t writes_ = 0;
  std::uint64_t syncs_ = 0;
  bool is_full_ = false;
  bool has_failed_ = false;
};

}  // namespace gossamer::store

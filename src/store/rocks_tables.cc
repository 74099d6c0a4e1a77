#include "store/rocks_tables.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

namespace gossamer::store {
namespace {

Error error_of(const rocksdb::Status& status, std::string_view what) {
  const bool is_full = status.IsNoSpace() || status.subcode() == rocksdb::Status::kNoSpace;
  return {is_full ? Errc::no_space : Errc::io_failed, std::string(what) + ": " + status.ToString()};
}

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// Connections need the descriptors, so if there are few, the tables use the fewest that RocksDB
// needs.
int open_files_max() {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<int>(std::clamp<rlim_t>(limit.rlim_cur / 8, 20, 48));
}

rocksdb::DBOptions database_options(const RocksOptions& options) {
  rocksdb::DBOptions database;
  database.create_if_missing = !options.is_read_only;
  database.create_missing_column_families = !options.is_read_only;
  database.db_write_buffer_size = options.memory_bytes / 2;
  database.max_total_wal_size = options.memory_bytes;
  database.max_open_files = open_files_max();
  database.table_cache_numshardbits = 0;  // every further shard would hold at least one file
  database.max_background_jobs = 2;
  database.bytes_per_sync = 1024 * 1024;
  database.keep_log_file_num = 2;
  database.max_log_file_size = 1024 * 1024;
  database.info_log_level = rocksdb::InfoLogLevel::ERROR_LEVEL;
  database.stats_dump_period_sec = 0;
  return database;
}

rocksdb::ColumnFamilyOptions table_options(const RocksOptions& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache,
                                           Table table) {
  rocksdb::ColumnFamilyOptions family;
  family.write_buffer_size = options.memory_bytes / 8;
  family.compression = rocksdb::kZSTD;
  family.compression_opts.level = 1;
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = cache;
  blocks.cache_index_and_filter_blocks = true;  // else they grow without bound
  // Most lookups are for missing keys.
  if (table == Table::pages || table == Table::payloads) {
    blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  }
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  return family;
}

}  // namespace

struct RocksTables::State {
  ~State() {
    for (rocksdb::ColumnFamilyHandle* handle : tables) {
      if (handle != nullptr) static_cast<void>(database->DestroyColumnFamilyHandle(handle));
    }
  }

  rocksdb::ColumnFamilyHandle* at(Table table) const {
    return tables[static_cast<std::size_t>(table)];
  }

  std::unique_ptr<rocksdb::DB> database;
  std::array<rocksdb::ColumnFamilyHandle*, kTables> tables = {};
  // True if there is space for the next batches, or if the free space is unknown.
  bool has_room() const {
    struct statvfs status = {};
    if (statvfs(folder.c_str(), &status) != 0) return true;
    return std::uint64_t{status.f_bavail} * status.f_frsize >= room_min;
  }

  std::string folder;
  std::uint64_t room_min = 0;
  std::atomic<bool> is_full = false;     // the last write failed for lack of space
  std::atomic<bool> has_failed = false;  // permanently
};

RocksTables::RocksTables(std::unique_ptr<State> state) : state_(std::move(state)) {}
RocksTables::~RocksTables() = default;

Result<std::unique_ptr<RocksTables>> RocksTables::open(const std::string& folder,
                                                       const RocksOptions& options) {
  const auto cache = rocksdb::NewLRUCache(options.memory_bytes / 4);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (std::size_t i = 0; i < kTables; ++i) {
    const auto table = static_cast<Table>(i);
    families.emplace_back(std::string(name(table)), table_options(options, cache, table));
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      options.is_read_only
          ? rocksdb::DB::OpenForReadOnly(database_options(options), folder, families, &handles,
                                         &opened)
          : rocksdb::DB::Open(database_options(options), folder, families, &handles, &opened);
  if (!status.ok()) {
    const bool is_missing = options.is_read_only && (status.IsNotFound() || status.IsIOError());
    if (is_missing) return fail(Errc::not_found, "there are no tables in " + folder);
    return fail(error_of(status, "cannot open the tables in " + folder));
  }
  auto state = std::make_unique<State>();
  state->database.reset(opened);
  state->folder = folder;
  state->room_min = options.room_min;
  for (std::size_t i = 0; i < kTables; ++i) state->tables[i] = handles[i + 1];
  static_cast<void>(opened->DestroyColumnFamilyHandle(handles[0]));
  return std::unique_ptr<RocksTables>(new RocksTables(std::move(state)));
}

Result<void> RocksTables::write(const Batch& batch) {
  if (state_->has_failed) return fail(Errc::io_failed, "an earlier write to the tables failed");
  if (!state_->has_room()) return fail(Errc::no_space, "no space left for the tables");
  if (state_->is_full.exchange(false)) {
    if (const auto status = state_->database->Resume(); !status.ok()) {
      state_->is_full = true;
      return fail(Errc::no_space, "no space left for the tables: " + status.ToString());
    }
  }
  rocksdb::WriteBatch changes(batch.bytes + 16 * batch.changes.size());
  for (const Batch::Change& change : batch.changes) {
    rocksdb::ColumnFamilyHandle* const table = state_->at(change.table);
    const auto noted = change.is_removal
                           ? changes.Delete(table, slice(change.key))
                           : changes.Put(table, slice(change.key), slice(change.value));
    if (!noted.ok()) return fail(error_of(noted, "cannot prepare a batch for the tables"));
  }
  const rocksdb::Status status = state_->database->Write(rocksdb::WriteOptions(), &changes);
  if (status.ok()) return {};
  Error error = error_of(status, "cannot write to the tables");
  if (error == Errc::no_space) {
    state_->is_full = true;
  } else {
    state_->has_failed = true;
  }
  return fail(std::move(error));
}

Result<void> RocksTables::sync() {
  if (state_->has_failed) return fail(Errc::io_failed, "an earlier write to the tables failed");
  const rocksdb::Status status = state_->database->SyncWAL();
  if (status.ok()) return {};
  // Unsynced data may be lost; only a restart can tell.
  state_->has_failed = true;
  return fail(Errc::io_failed, "cannot sync the tables: " + status.ToString());
}

Result<std::optional<std::string>> RocksTables::get(Table table, std::string_view key) const {
  std::string value;
  const auto status =
      state_->database->Get(rocksdb::ReadOptions(), state_->at(table), slice(key), &value);
  if (status.ok()) return std::optional(std::move(value));
  if (status.IsNotFound()) return std::optional<std::string>();
  return fail(error_of(status, "cannot read the tables"));
}

Result<void> RocksTables::scan(Table table, std::string_view from, Use use) const {
  rocksdb::ReadOptions reading;
  // A scan from the first key usually reads everything.
  if (from.empty()) reading.readahead_size = 2 * 1024 * 1024;
  reading.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(
      state_->database->NewIterator(reading, state_->at(table)));
  for (at->Seek(slice(from)); at->Valid(); at->Next()) {
    if (!use(view(at->key()), view(at->value()))) break;
  }
  if (!at->status().ok()) return fail(error_of(at->status(), "cannot read the tables"));
  return {};
}

Result<void> RocksTables::scan_back(Table table, std::string_view before, Use use) const {
  const std::unique_ptr<rocksdb::Iterator> at(
      state_->database->NewIterator(rocksdb::ReadOptions(), state_->at(table)));
  at->SeekForPrev(slice(before));
  if (at->Valid() && view(at->key()) == before) at->Prev();
  for (; at->Valid(); at->Prev()) {
    if (!use(view(at->key()), view(at->value()))) break;
  }
  if (!at->status().ok()) return fail(error_of(at->status(), "cannot read the tables"));
  return {};
}

}  // namespace gossamer::store

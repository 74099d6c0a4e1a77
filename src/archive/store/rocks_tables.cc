#include "store/rocks_tables.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
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
#include <cstdarg>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "store/beneath.h"
#include "store/rocks_disk.h"
#include "store/row_position.h"

namespace gossamer::store {
namespace {

Errc code_of(const rocksdb::Status& status) {
  if (status.IsNoSpace() || status.subcode() == rocksdb::Status::kNoSpace) return Errc::no_space;
  // A file that the others name is missing.
  const bool is_missing = status.IsPathNotFound() || status.IsNotFound();
  return status.IsCorruption() || is_missing ? Errc::malformed : Errc::io_failed;
}

Error error_of(const rocksdb::Status& status, std::string_view what) {
  return {code_of(status), std::string(what) + ": " + status.ToString()};
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

// RocksDB's own log would end the process when the disk is full. It reports failures anyway.
class NoRocksLog final : public rocksdb::Logger {
 public:
  using Logger::Logv;
  void Logv(const char* /*format*/, va_list /*values*/) override {}
};

rocksdb::DBOptions database_options(const RocksOptions& options) {
  rocksdb::DBOptions database;
  database.create_if_missing = !options.is_read_only;
  database.create_missing_column_families = !options.is_read_only;
  database.db_write_buffer_size = options.memory_bytes / 2;
  database.max_total_wal_size = options.memory_bytes;
  database.max_open_files = open_files_max();
  database.table_cache_numshardbits = 0;  // every further shard would hold at least one file
  database.max_background_jobs = 2;
  // A crawl that resumes goes back to the last row before the damage, and refetches the rest. A
  // reader would only miss these rows, so it fails.
  database.wal_recovery_mode = options.is_read_only
                                   ? rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords
                                   : rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  database.max_file_opening_threads = 1;  // RocksDB does not survive a thread that cannot start
  database.bytes_per_sync = 1024 * 1024;
  database.info_log = std::make_shared<NoRocksLog>();
  database.stats_dump_period_sec = 0;
  database.stats_persist_period_sec = 0;  // it would need another thread
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

std::unexpected<Error> closed_tables() { return fail(Errc::closed, "the tables are closed"); }

constexpr const char* kPositionName = "position";
constexpr const char* kBeginning = "CURRENT";

// True if the folder contains rows, but not the file that every database begins with. RocksDB would
// create an empty database.
bool lacks_beginning(const Folder& folder) {
  bool has_rows = false;
  static_cast<void>(folder.for_each([&](const std::string& name, const struct stat& status) {
    has_rows |= name.ends_with(".sst") || (name.ends_with(".log") && status.st_size > 0);
  }));
  return has_rows && !folder.has(kBeginning);
}

// The newest rows are in a log. RocksDB does not notice if it is missing. A database that was
// opened always has one, even if it is empty.
bool lacks_log(const Folder& folder) {
  bool has_log = false;
  const auto listed = folder.for_each(
      [&](const std::string& name, const struct stat&) { has_log |= name.ends_with(".log"); });
  return listed && !has_log;
}

}  // namespace

// An open database. After a failure of its disk another one replaces it.
struct RocksTables::Opened {
  explicit Opened(Folder folder) : disk(std::move(folder)) {}
  ~Opened() { forget_tables(); }

  rocksdb::ColumnFamilyHandle* at(Table table) const {
    return tables[static_cast<std::size_t>(table)];
  }
  void forget_tables() {
    for (rocksdb::ColumnFamilyHandle*& handle : tables) {
      if (handle == nullptr) continue;
      static_cast<void>(database->DestroyColumnFamilyHandle(std::exchange(handle, nullptr)));
    }
  }
  // What a change has really done: RocksDB does not notice a failure of the disk.
  Result<void> judge(const rocksdb::Status& status, std::string_view what) const {
    if (auto failure = disk.failure()) {
      return fail(failure->code(), std::string(what) + ": " + std::string(failure->detail()));
    }
    return status.ok() ? Result<void>() : fail(error_of(status, what));
  }
  // The position of the last change. If judge() is good afterwards, all changes up to there are.
  std::uint64_t position() const { return database->GetLatestSequenceNumber(); }

  RocksDisk disk;
  std::unique_ptr<rocksdb::DB> database;
  std::array<rocksdb::ColumnFamilyHandle*, kTables> tables = {};
};

struct RocksTables::State {
  State(Folder opened_folder, const RocksOptions& its_options)
      : folder(std::move(opened_folder)), options(its_options) {}

  // True if there is space for the next batches, or if the free space is unknown.
  bool has_room() const {
    struct statvfs status = {};
    if (fstatvfs(folder.descriptor(), &status) != 0) return true;
    return std::uint64_t{status.f_bavail} * status.f_frsize >= options.room_min;
  }

  Result<void> open();

  const Folder folder;
  const RocksOptions options;
  std::shared_mutex mutex;                  // guards `opened`: it is replaced, or in use
  std::unique_ptr<Opened> opened;           // nullptr: closed
  std::optional<RowPositionFile> position;  // empty: the tables are read-only
  std::uint64_t lost = 0;
  std::atomic<bool> is_full = false;     // the last write failed for lack of space
  std::atomic<bool> has_failed = false;  // permanently
};

RocksTables::RocksTables(std::unique_ptr<State> state) : state_(std::move(state)) {}
RocksTables::~RocksTables() = default;

Result<std::unique_ptr<RocksTables::Opened>> RocksTables::open_database(
    const Folder& folder, const RocksOptions& options) {
  auto own_folder = folder.again();
  if (!own_folder) return fail(std::move(own_folder).error());
  const auto cache = rocksdb::NewLRUCache(options.memory_bytes / 4);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (std::size_t i = 0; i < kTables; ++i) {
    const auto table = static_cast<Table>(i);
    families.emplace_back(std::string(name(table)), table_options(options, cache, table));
  }
  auto made = std::make_unique<Opened>(std::move(*own_folder));
  rocksdb::DBOptions database = database_options(options);
  database.env = made->disk.env();
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status;
  const std::string what = "cannot open the tables in " + folder.path();
  try {
    status =
        options.is_read_only
            ? rocksdb::DB::OpenForReadOnly(database, folder.path(), families, &handles, &opened)
            : rocksdb::DB::Open(database, folder.path(), families, &handles, &opened);
  } catch (const std::system_error& error) {
    return fail(Errc::no_resources, what + ": cannot start a thread: " + error.what());
  } catch (const std::bad_alloc&) {
    return fail(Errc::no_resources, what + ": not enough memory");
  }
  made->database.reset(opened);
  for (std::size_t i = 0; i + 1 < handles.size(); ++i) made->tables[i] = handles[i + 1];
  if (opened != nullptr) static_cast<void>(opened->DestroyColumnFamilyHandle(handles[0]));
  if (auto judged = made->judge(status, what); !judged) return fail(std::move(judged).error());
  return made;
}

Result<std::unique_ptr<RocksTables>> RocksTables::open(const std::string& folder,
                                                       const RocksOptions& options) {
  const std::optional<unsigned> mode =
      options.is_read_only ? std::nullopt : std::optional<unsigned>(S_IRWXU);
  auto opened = Folder::open_inner(folder, mode);
  const bool is_missing = !opened && opened.error() == Errc::not_found;
  if (!opened && !is_missing) return fail(std::move(opened).error());
  if (opened && lacks_beginning(*opened)) {
    return fail(Errc::malformed, "the tables are damaged: " + folder + "/CURRENT is missing");
  }
  if (is_missing || (options.is_read_only && !opened->has(kBeginning))) {
    return fail(Errc::not_found, "there are no tables in " + folder);
  }
  if (options.is_read_only && lacks_log(*opened)) {
    return fail(Errc::malformed, "the tables are damaged: the log of " + folder + " is missing");
  }
  auto state = std::make_unique<State>(std::move(*opened), options);
  if (auto database = state->open(); !database) return fail(std::move(database).error());
  if (!options.is_read_only) {
    state->position.emplace(state->folder, kPositionName, state->opened->position());
  }
  return std::unique_ptr<RocksTables>(new RocksTables(std::move(state)));
}

std::uint64_t RocksTables::lost_changes() const noexcept { return state_->lost; }

// Fails for a reader if the end of the log is missing.
Result<void> RocksTables::State::open() {
  const bool is_reader = options.is_read_only;
  // A running crawl may begin another log while a reader opens the tables.
  for (int attempts = is_reader ? 2 : 1; attempts > 0; --attempts) {
    const std::uint64_t expected = expected_position(folder, kPositionName);
    auto made = open_database(folder, options);
    if (!made) return fail(std::move(made).error());
    opened = std::move(*made);
    lost = expected - std::min(expected, opened->position());
    if (lost == 0) return {};
  }
  if (!is_reader) return {};
  return fail(
      Errc::malformed,
      fmt::format("the tables are damaged: the log of {} has lost its last {} of {} changes",
                  folder.path(), lost, lost + opened->position()));
}

// After a full disk the database is opened again: it has all batches that were written.
Result<void> RocksTables::reopen() {
  const std::unique_lock lock(state_->mutex, std::try_to_lock);
  if (!lock) return fail(Errc::no_space, "no space left for the tables");  // it is in use
  state_->opened.reset();
  auto opened = open_database(state_->folder, state_->options);
  if (!opened) {
    state_->has_failed = opened.error() != Errc::no_space;
    return fail(std::move(opened).error());
  }
  state_->opened = std::move(*opened);
  state_->is_full = false;
  return {};
}

Result<void> RocksTables::write(const Batch& batch) {
  if (state_->has_failed) return fail(Errc::io_failed, "an earlier write to the tables failed");
  if (!state_->has_room()) return fail(Errc::no_space, "no space left for the tables");
  if (state_->is_full) {
    if (auto reopened = reopen(); !reopened) return reopened;
  }
  const std::shared_lock lock(state_->mutex);
  if (!state_->opened) return closed_tables();
  rocksdb::WriteBatch changes(batch.bytes + 16 * batch.changes.size());
  for (const Batch::Change& change : batch.changes) {
    rocksdb::ColumnFamilyHandle* const table = state_->opened->at(change.table);
    const auto noted = change.is_removal
                           ? changes.Delete(table, slice(change.key))
                           : changes.Put(table, slice(change.key), slice(change.value));
    if (!noted.ok()) return fail(error_of(noted, "cannot prepare a batch for the tables"));
  }
  const rocksdb::Status status = state_->opened->database->Write(rocksdb::WriteOptions(), &changes);
  const std::uint64_t position = state_->opened->position();
  auto written = state_->opened->judge(status, "cannot write to the tables");
  if (written) state_->position->note_written(position);
  if (written) return written;
  if (written.error() == Errc::no_space) {
    state_->is_full = true;
  } else {
    state_->has_failed = true;
  }
  return written;
}

Result<void> RocksTables::sync() {
  if (state_->has_failed) return fail(Errc::io_failed, "an earlier write to the tables failed");
  const std::shared_lock lock(state_->mutex);
  if (!state_->opened) return closed_tables();
  const std::uint64_t position = state_->opened->position();
  const rocksdb::Status status = state_->opened->database->SyncWAL();
  auto synced = state_->opened->judge(status, "cannot sync the tables");
  if (synced) state_->position->note_synced(position);
  if (synced) return synced;
  // Unsynced data may be lost; only a restart can tell.
  state_->has_failed = true;
  return fail(Errc::io_failed, std::string(synced.error().detail()));
}

Result<void> RocksTables::close() {
  if (state_->has_failed) return fail(Errc::io_failed, "an earlier write to the tables failed");
  const std::unique_lock lock(state_->mutex);
  const std::unique_ptr<Opened> opened = std::exchange(state_->opened, nullptr);
  if (!opened) return closed_tables();
  const std::vector<rocksdb::ColumnFamilyHandle*> tables(opened->tables.begin(),
                                                         opened->tables.end());
  auto status = opened->database->Flush(rocksdb::FlushOptions(), tables);
  // Merging files in the background would change them after the seal.
  rocksdb::CancelAllBackgroundWork(opened->database.get(), true);
  opened->forget_tables();
  if (status.ok()) status = opened->database->Close();
  return opened->judge(status, "cannot complete the tables");
}

Result<std::optional<std::string>> RocksTables::get(Table table, std::string_view key) const {
  const std::shared_lock lock(state_->mutex);
  if (!state_->opened) return closed_tables();
  std::string value;
  const auto status = state_->opened->database->Get(rocksdb::ReadOptions(),
                                                    state_->opened->at(table), slice(key), &value);
  if (status.ok()) return std::optional(std::move(value));
  if (status.IsNotFound()) return std::optional<std::string>();
  return fail(error_of(status, "cannot read the tables"));
}

Result<void> RocksTables::scan(Table table, std::string_view from, Use use) const {
  const std::shared_lock lock(state_->mutex);
  if (!state_->opened) return closed_tables();
  rocksdb::ReadOptions reading;
  // A scan from the first key usually reads everything.
  if (from.empty()) reading.readahead_size = 2 * 1024 * 1024;
  reading.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(
      state_->opened->database->NewIterator(reading, state_->opened->at(table)));
  for (at->Seek(slice(from)); at->Valid(); at->Next()) {
    if (!use(view(at->key()), view(at->value()))) break;
  }
  if (!at->status().ok()) return fail(error_of(at->status(), "cannot read the tables"));
  return {};
}

Result<void> RocksTables::scan_back(Table table, std::string_view before, Use use) const {
  const std::shared_lock lock(state_->mutex);
  if (!state_->opened) return closed_tables();
  const std::unique_ptr<rocksdb::Iterator> at(
      state_->opened->database->NewIterator(rocksdb::ReadOptions(), state_->opened->at(table)));
  at->SeekForPrev(slice(before));
  if (at->Valid() && view(at->key()) == before) at->Prev();
  for (; at->Valid(); at->Prev()) {
    if (!use(view(at->key()), view(at->value()))) break;
  }
  if (!at->status().ok()) return fail(error_of(at->status(), "cannot read the tables"));
  return {};
}

}  // namespace gossamer::store

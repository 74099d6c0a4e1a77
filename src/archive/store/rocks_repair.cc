#include "store/rocks_repair.h"

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table_properties.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/rocks_disk.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kRecoveredBatchBytes = std::size_t{4} * 1024 * 1024;

std::optional<Table> table_named(std::string_view wanted) {
  for (std::size_t i = 0; i < kTables; ++i) {
    if (name(static_cast<Table>(i)) == wanted) return static_cast<Table>(i);
  }
  return std::nullopt;
}

// Copies rows from a file to the tables.
class RowRecovery {
 public:
  RowRecovery(Tables& tables, Table table) : tables_(tables), table_(table) {}

  // Everything before the first damaged block, and everything behind the last one.
  Result<void> run(const rocksdb::SstFileReader& file) {
    std::string last;
    const std::unique_ptr<rocksdb::Iterator> rows(reader(file));
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
      last = rows->key().ToString();
      if (auto taken = take(*rows); !taken) return taken;
    }
    const std::unique_ptr<rocksdb::Iterator> back(reader(file));
    for (back->SeekToLast(); back->Valid() && back->key().ToString() > last; back->Prev()) {
      if (auto taken = take(*back); !taken) return taken;
    }
    return write(0);
  }

 private:
  static rocksdb::Iterator* reader(const rocksdb::SstFileReader& file) {
    // Its functions that read are not const.
    return const_cast<rocksdb::SstFileReader&>(file).NewIterator(rocksdb::ReadOptions());
  }
  Result<void> take(const rocksdb::Iterator& row) {
    std::string key = row.key().ToString();
    const auto known = tables_.get(table_, key);
    if (!known) return fail(known.error().copy());
    if (!*known) batch_.put(table_, std::move(key), row.value().ToString());
    return write(kRecoveredBatchBytes);
  }
  Result<void> write(std::size_t bytes_min) {
    if (batch_.empty() || batch_.bytes < bytes_min) return {};
    auto written = tables_.write(batch_);
    batch_.clear();
    return written;
  }

  Tables& tables_;
  const Table table_;
  Batch batch_;
};

}  // namespace

Result<void> repair_tables(const std::string& folder) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (std::size_t i = 0; i < kTables; ++i) {
    families.emplace_back(std::string(name(static_cast<Table>(i))), rocksdb::ColumnFamilyOptions());
  }
  auto opened = Folder::open_inner(folder);
  if (!opened) return fail(std::move(opened).error());
  const RocksDisk disk(std::move(*opened));
  rocksdb::DBOptions database;
  database.create_if_missing = true;
  database.env = disk.env();
  const rocksdb::Status status = rocksdb::RepairDB(folder, database, families);
  if (auto failure = disk.failure()) {
    return fail(std::move(*failure), "while repairing the tables in " + folder);
  }
  if (status.ok()) return {};
  return fail(Errc::io_failed, "cannot repair the tables in " + folder + ": " + status.ToString());
}

Result<bool> recover_lost_rows(const std::string& folder, Tables& tables) {
  const auto opened = Folder::open_inner(folder);
  if (!opened) return fail(opened.error().copy());
  if (!opened->has("lost")) return false;
  auto lost = opened->folder("lost");
  if (!lost) return fail(std::move(lost).error());
  std::vector<std::string> names;
  auto listed = lost->for_each([&](const std::string& name, const struct stat&) {
    if (name.ends_with(".sst")) names.push_back(lost->path_of(name));
  });
  if (!listed) return fail(std::move(listed).error());
  const RocksDisk disk(std::move(*lost));
  rocksdb::Options options;
  options.env = disk.env();
  for (const std::string& name : names) {
    rocksdb::SstFileReader file(options);
    if (!file.Open(name).ok()) continue;
    const auto facts = file.GetTableProperties();
    const auto table = facts ? table_named(facts->column_family_name) : std::nullopt;
    if (!table) continue;
    if (auto done = RowRecovery(tables, *table).run(file); !done) {
      return fail(std::move(done).error());
    }
  }
  return !names.empty();
}

}  // namespace gossamer::store

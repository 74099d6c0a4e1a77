#include "store/job_repair.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "record/page_row.h"
#include "record/statistics.h"
#include "store/archived_pages.h"
#include "store/job_folder.h"
#include "store/page_table.h"
#include "store/rocks_repair.h"
#include "store/rocks_tables.h"
#include "store/work_rows.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

constexpr std::string_view kNoSettings = "job.toml is missing";
constexpr std::size_t kRepairBatchBytes = std::size_t{4} * 1024 * 1024;

// Reads every row. Fails if one cannot be read.
Result<void> read_everything(const std::string& folder, bool is_read_only = true) {
  auto tables = RocksTables::open(folder, {.is_read_only = is_read_only});
  if (!tables) return fail(std::move(tables).error());
  for (std::size_t i = 0; i < kTables; ++i) {
    auto read = (*tables)->scan(static_cast<Table>(i), {},
                                [](std::string_view, std::string_view) { return true; });
    if (!read) return read;
  }
  return {};
}

class JobRepair {
 public:
  JobRepair(JobFolder folder, const RepairOptions& options)
      : folder_(std::move(folder)), options_(options), identity_(options.identity) {}

  Result<RepairSummary> run() {
    auto damage = find_damage_of_all();
    if (!damage) return fail(std::move(damage).error());
    if (summary_.damage.empty() && damage->empty()) return count_only();
    if (auto broken = folder_.unseal(); !broken) return fail(std::move(broken).error());
    if (auto repaired = repair(!damage->empty()); !repaired) {
      return fail(std::move(repaired).error());
    }
    summary_.damage.insert(summary_.damage.end(), damage->begin(), damage->end());
    return std::move(summary_);
  }

 private:
  // Returns the damage of the tables; the rest is in the summary.
  Result<std::vector<std::string>> find_damage_of_all() {
    auto sealed = folder_.damage();
    if (!sealed) return fail(std::move(sealed).error());
    std::vector<std::string> tables;
    std::vector<std::string> settings;
    for (std::string& each : sealed->job) {
      const bool is_table = each.starts_with("tables/");
      const bool is_settings = each.starts_with("job.toml");
      (is_table ? tables : is_settings ? settings : summary_.damage).push_back(std::move(each));
    }
    for (std::string& each : sealed->archive) summary_.damage.push_back(std::move(each));
    summary_.has_settings = !folder_.is_new();
    if (auto text = folder_.read_configuration(); !text) {
      const std::string_view what = summary_.has_settings ? text.error().detail() : kNoSettings;
      summary_.damage.emplace_back(what);
      is_configuration_bad_ = true;
    } else {
      // Without its checksum it is like one of an earlier version, and accepted as it is.
      std::ranges::move(settings, std::back_inserter(summary_.damage));
    }
    has_lost_files_ = !tables.empty();
    if (has_lost_files_) return tables;
    auto read = read_everything(folder_.tables());
    if (!read && read.error() != Errc::malformed && read.error() != Errc::not_found) {
      return fail(std::move(read).error());
    }
    if (!read) tables.push_back(read.error().message());
    return tables;
  }

  Result<RepairSummary> count_only() {
    auto tables = RocksTables::open(folder_.tables(), {.is_read_only = true});
    if (!tables) return fail(std::move(tables).error());
    tables_ = std::move(*tables);
    if (auto counted = take_count(); !counted) return fail(std::move(counted).error());
    return std::move(summary_);
  }

  Result<void> repair(bool has_bad_tables) {
    // A log that is cut or damaged is read up to there. RocksDB's own repair would drop its rows.
    bool needs_rebuild = has_lost_files_;
    if (has_bad_tables && !needs_rebuild) {
      auto read = read_everything(folder_.tables(), false);
      if (!read && read.error() != Errc::malformed && read.error() != Errc::not_found) {
        return fail(std::move(read).error());
      }
      needs_rebuild = !read;
    }
    if (needs_rebuild) {
      if (auto done = repair_tables(folder_.tables()); !done) return done;
    }
    auto opened = RocksTables::open(folder_.tables());
    if (!opened) return fail(std::move(opened).error());
    tables_ = std::move(*opened);
    Result<void> done;
    if (has_bad_tables) done = recover_rows();
    if (done) done = restore_configuration();
    if (done) done = has_bad_tables ? count() : take_count();
    if (done) done = tables_->sync();
    if (done) done = tables_->close();
    return done ? folder_.seal() : std::move(done);
  }

  Result<void> recover_rows() {
    auto has_lost = recover_lost_rows(folder_.tables(), *tables_);
    if (!has_lost) return fail(std::move(has_lost).error());
    Result<void> added;
    auto read = for_each_archived_page(folder_.archive(), [&](crawler::FetchRecord record) {
      if (added) added = add_page(std::move(record));
    });
    if (!read) return fail(std::move(read).error());
    if (!added) return added;
    // RocksDB does not tell which files are missing.
    summary_.is_incomplete = true;
    return begin_again();
  }

  // Adds a page that the tables have not.
  Result<void> add_page(crawler::FetchRecord record) {
    const auto url = url::Url::parse(record.url);
    if (!url) return {};
    std::string key = page_key(identity_.fingerprint(*url));
    auto known = tables_->get(Table::pages, key);
    if (!known) return fail(std::move(known).error());
    if (*known) {
      const auto row = unpack_page(**known);
      if (row && row->ts >= record.ts) return {};
    } else {
      ++summary_.rebuilt;
    }
    record.depth = std::ranges::find(options_.roots, record.url) == options_.roots.end() ? 1 : 0;
    batch_.put(Table::archived, archived_key(*record.archive), key);
    batch_.put(Table::pages, std::move(key), pack_page(record));
    return write(0);  // the next capture of the URL looks for it
  }

  // Forgets what was queued and seen. The next run begins at the roots and fetches what is missing.
  Result<void> begin_again() {
    for (const Table table : {Table::waiting, Table::seen}) {
      if (auto removed = remove_all(table, {}); !removed) return removed;
    }
    const std::string counts(1, static_cast<char>(OriginRow::count));
    if (auto removed = remove_all(Table::origins, counts); !removed) return removed;
    batch_.put(Table::meta, "state", "interrupted");
    return write(0);
  }

  Result<void> remove_all(Table table, const std::string& begin) {
    Result<void> removed;
    auto read = tables_->scan(table, begin, [&](std::string_view key, std::string_view) {
      if (!key.starts_with(begin)) return false;
      batch_.remove(table, std::string(key));
      removed = write(kRepairBatchBytes);
      return removed.has_value();
    });
    if (!read || !removed) return read ? std::move(removed) : std::move(read);
    return write(0);
  }

  Result<void> restore_configuration() {
    if (!is_configuration_bad_) return {};
    auto kept = tables_->get(Table::meta, kConfigurationKey);
    if (!kept) return fail(std::move(kept).error());
    if (*kept) {
      summary_.has_settings = true;
      summary_.was_configuration_restored = true;
      return folder_.replace_configuration(**kept);
    }
    return summary_.has_settings ? folder_.accept_configuration() : Result<void>();
  }

  Result<void> take_count() {
    auto statistics = stored_statistics(*tables_);
    if (statistics) summary_.pages = statistics->pages;
    return statistics ? Result<void>() : fail(std::move(statistics).error());
  }

  // Counts everything again.
  Result<void> count() {
    crawler::Statistics statistics;
    std::optional<Error> failure;
    auto read = tables_->scan(Table::pages, {}, [&](std::string_view, std::string_view row) {
      const auto record = unpack_page(row);
      if (record) statistics.add(*record);
      if (!record) failure = record.error().copy();
      return record.has_value();
    });
    if (read && !failure) {
      read = tables_->scan(Table::skipped, {}, [&](std::string_view, std::string_view row) {
        const auto skips = unpack_skips(row);
        if (!skips) failure = skips.error().copy();
        for (std::size_t i = 0; skips && i < skips->size(); ++i) {
          statistics.add((*skips)[i].reason);
        }
        return skips.has_value();
      });
    }
    if (failure) return fail(std::move(*failure));
    if (!read) return read;
    summary_.pages = statistics.pages;
    put_statistics(batch_, statistics);
    return write(0);
  }

  Result<void> write(std::size_t bytes_min) {
    if (batch_.empty() || batch_.bytes < bytes_min) return {};
    auto written = tables_->write(batch_);
    batch_.clear();
    return written;
  }

  const JobFolder folder_;
  const RepairOptions& options_;
  url::CrawlIdentity identity_;
  std::unique_ptr<RocksTables> tables_;
  Batch batch_;
  RepairSummary summary_;
  bool is_configuration_bad_ = false;
  bool has_lost_files_ = false;  // of the tables, as the seal says
};

}  // namespace

Result<RepairSummary> repair_job(const std::string& folder, const RepairOptions& options) {
  auto opened = JobFolder::open(folder, JobFolder::Access::repair);
  if (!opened) return fail(std::move(opened).error());
  return JobRepair(std::move(*opened), options).run();
}

}  // namespace gossamer::store

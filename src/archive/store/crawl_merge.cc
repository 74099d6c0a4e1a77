#include "store/crawl_merge.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "record/page_row.h"
#include "record/statistics.h"
#include "store/job_folder.h"
#include "store/page_table.h"
#include "store/rocks_tables.h"

namespace gossamer::store {
namespace {

namespace fs = std::filesystem;

// Changes that are written together.
constexpr std::size_t kBatchBytes = std::size_t{4} * 1024 * 1024;

bool is_better(const crawler::FetchRecord& one, const crawler::FetchRecord& other) {
  if (one.status.has_value() != other.status.has_value()) return one.status.has_value();
  return one.archive.has_value() && !other.archive.has_value();
}

class CrawlMerge {
 public:
  CrawlMerge(JobFolder into, std::unique_ptr<RocksTables> tables)
      : into_(std::move(into)), tables_(std::move(tables)) {}

  // `number` is that of the directory, from 1 on.
  Result<void> add(const std::string& path, std::size_t number) {
    auto folder = JobFolder::open(path, JobFolder::Access::read);
    if (!folder) return fail(std::move(folder).error());
    const auto archive_damage = folder->check();
    if (!archive_damage) return fail(archive_damage.error().copy());
    if (!archive_damage->empty()) {
      return fail(Errc::malformed, path + " is damaged: " + archive_damage->front());
    }
    auto tables = RocksTables::open(folder->tables(), {.is_read_only = true});
    if (!tables) return fail(std::move(tables).error(), "in " + path);
    if (number == 1) {
      if (auto copied = copy_configuration(*folder); !copied) return copied;
    }
    const std::string prefix = "n" + std::to_string(number) + "-";
    if (auto linked = link_archive(*folder, prefix); !linked) return linked;
    if (auto added = add_pages(**tables, prefix); !added) return added;
    if (auto added = add_skips(**tables); !added) return added;
    const auto state = (*tables)->get(Table::meta, "state");
    const std::string its = state && *state ? **state : "interrupted";
    if (state_.empty() || (state_ == "finished" && its != "finished")) state_ = its;
    return {};
  }

  Result<MergeSummary> finish() {
    put_statistics(batch_, statistics_);
    batch_.put(Table::meta, "state", state_);
    if (auto written = write(0); !written) return fail(std::move(written).error());
    if (auto synced = tables_->sync(); !synced) return fail(std::move(synced).error());
    if (auto closed = tables_->close(); !closed) return fail(std::move(closed).error());
    if (auto sealed = into_.seal(); !sealed) return fail(std::move(sealed).error());
    summary_.pages = statistics_.pages;
    return summary_;
  }

 private:
  Result<void> write(std::size_t bytes_min) {
    if (batch_.empty() || batch_.bytes < bytes_min) return {};
    auto written = tables_->write(batch_);
    batch_.clear();
    return written;
  }

  Result<void> copy_configuration(const JobFolder& folder) {
    auto text = folder.read_configuration();
    if (!text) return fail(std::move(text).error());
    return into_.write_configuration(*text);
  }

  Result<void> link_archive(const JobFolder& folder, const std::string& prefix) {
    std::error_code error;
    if (!fs::exists(folder.archive(), error)) return {};
    fs::create_directories(into_.archive(), error);
    for (const auto& entry : fs::directory_iterator(folder.archive(), error)) {
      if (!entry.is_regular_file(error)) continue;
      const fs::path to = fs::path(into_.archive()) / (prefix + entry.path().filename().string());
      fs::create_hard_link(entry.path(), to, error);
      if (error) fs::copy_file(entry.path(), to, error);
      if (error) return fail(Errc::io_failed, "cannot write " + to.string());
      ++summary_.files;
    }
    if (error) return fail(Errc::io_failed, "cannot read " + folder.archive());
    return {};
  }

  Result<void> add_pages(const Tables& from, const std::string& prefix) {
    Result<void> added;
    auto read = from.scan(Table::pages, {}, [&](std::string_view key, std::string_view row) {
      added = add_page(std::string(key), row, prefix);
      return added.has_value();
    });
    if (!read || !added) return read ? std::move(added) : std::move(read);
    // The next directory looks for these.
    return write(0);
  }

  Result<void> add_page(std::string key, std::string_view row, const std::string& prefix) {
    auto record = unpack_page(row);
    if (!record) return fail(std::move(record).error());
    if (record->archive) record->archive->file.insert(0, prefix);
    auto known = tables_->get(Table::pages, key);
    if (!known) return fail(std::move(known).error());
    if (*known) {
      ++summary_.repeated;
      auto other = unpack_page(**known);
      if (!other) return fail(std::move(other).error());
      if (!is_better(*record, *other)) return {};
      statistics_.remove(*other);
    }
    statistics_.add(*record);
    if (record->archive) batch_.put(Table::archived, archived_key(*record->archive), key);
    batch_.put(Table::pages, std::move(key), pack_page(*record));
    return write(kBatchBytes);
  }

  Result<void> add_skips(const Tables& from) {
    Result<void> added;
    auto read = from.scan(Table::skipped, {}, [&](std::string_view, std::string_view row) {
      const auto skips = unpack_skips(row);
      if (!skips) {
        added = fail(skips.error().copy());
        return false;
      }
      for (const StoredSkip& skip : *skips) statistics_.add(skip.reason);
      std::string key;
      append_big_endian(key, next_skips_++);
      batch_.put(Table::skipped, std::move(key), std::string(row));
      added = write(kBatchBytes);
      return added.has_value();
    });
    return read ? std::move(added) : std::move(read);
  }

  JobFolder into_;
  std::unique_ptr<RocksTables> tables_;
  Batch batch_;
  crawler::Statistics statistics_;
  std::uint64_t next_skips_ = 0;
  std::string state_;
  MergeSummary summary_;
};

}  // namespace

Result<MergeSummary> merge_crawls(const std::vector<std::string>& folders,
                                  const std::string& into) {
  std::error_code error;
  if (fs::exists(into, error) && !fs::is_empty(into, error)) {
    return fail(Errc::exists, into + " is not empty");
  }
  // Nothing is made if one of them is missing.
  for (const std::string& folder : folders) {
    auto opened = JobFolder::open(folder, JobFolder::Access::read);
    if (!opened) return fail(std::move(opened).error());
  }
  auto job = JobFolder::open(into, JobFolder::Access::write);
  if (!job) return fail(std::move(job).error());
  auto tables = RocksTables::open(job->tables());
  if (!tables) return fail(std::move(tables).error());
  CrawlMerge merge(std::move(*job), std::move(*tables));
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (auto added = merge.add(folders[i], i + 1); !added) return fail(std::move(added).error());
  }
  return merge.finish();
}

}  // namespace gossamer::store

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontier/target.h"
#include "record/page_row.h"
#include "record/record.h"
#include "record/statistics.h"
#include "store/job_folder.h"
#include "store/page_changes.h"
#include "store/rocks_tables.h"

namespace gossamer::store {

// Reads a crawl directory. A crawl may be running there: this shows the state at the time of
// opening.
class StoredCrawl {
 public:
  // Fails with Errc::not_found if there is none, and with Errc::malformed if the settings or the
  // tables are damaged.
  static Result<StoredCrawl> open(const std::string& folder);

  const store::JobFolder& folder() const { return folder_; }
  // The files of the archive that are damaged, as in "archive/a-00001.warc.gz is missing". The rows
  // are right. Readers find other damage in files that they read.
  const std::vector<std::string>& archive_damage() const { return archive_damage_; }
  Result<crawler::Statistics> statistics() const { return store_statistics(); }
  // "finished", "incomplete" (hosts were unreachable), "stopped", "running"; "interrupted" if it
  // was killed; "damaged" if the tables cannot tell.
  std::string state() const;
  // Why the last run ended: "finished", "page_limit", ... Empty: it was killed, or is running.
  std::string end() const;
  Result<std::size_t> waiting() const;

  Result<bool> has_refreshed() const { return store::has_refreshed(*tables_); }

  // Call `use` for each item until it returns false.
  Result<void> for_each_page(std::move_only_function<bool(const crawler::FetchRecord&)> use) const;
  Result<void> for_each_change(std::move_only_function<bool(const store::PageChange&)> use) const {
    return store::for_each_change(*tables_, std::move(use));
  }
  Result<void> for_each_skip(std::move_only_function<bool(const store::StoredSkip&)> use) const;
  // Leaves out what is damaged, and then fails.
  Result<void> for_each_waiting(std::move_only_function<bool(const crawler::Target&)> use) const;

 private:
  StoredCrawl(store::JobFolder folder, std::unique_ptr<store::RocksTables> tables,
              std::vector<std::string> archive_damage)
      : folder_(std::move(folder)),
        tables_(std::move(tables)),
        archive_damage_(std::move(archive_damage)) {}
  Result<crawler::Statistics> store_statistics() const;

  store::JobFolder folder_;
  std::unique_ptr<store::RocksTables> tables_;
  std::vector<std::string> archive_damage_;
};

}  // namespace gossamer::store

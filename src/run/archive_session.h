#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "async/thread_pool.h"
#include "base/result.h"
#include "crawl/page/page_sink.h"
#include "run/machine.h"
#include "store/archive.h"
#include "store/archive_files.h"
#include "store/archive_payloads.h"
#include "store/archiving_sink.h"
#include "warc/wacz.h"

namespace gossamer::run {

struct CrawlSettings;

// Where a crawl is archived, and what is made of it in the end.
struct ArchivePlan {
  std::string folder = ".";
  std::string name = "crawl";  // NAME-00001.warc.gz
  std::uint64_t file_bytes_max = 1'000'000'000;
  warc::Fields about;        // of warcinfo records
  bool has_index = false;    // NAME.cdxj, sorted
  bool has_package = false;  // WACZ
  bool drops_copies = false;
  // Of which payloads are there already; nullptr: those of this run. BORROWS.
  store::KnownPayloads* known = nullptr;
  Duration space_patience = Duration::zero();
  // Is called when what earlier crawls left was looked after, and before anything is written.
  std::move_only_function<Result<void>(const store::Archive& archive)> before_first_file;
  // Nothing is stored while it says no; empty: nobody asks.
  std::move_only_function<bool()> has_room;
  // What a page that has not changed was when it was stored; empty: nobody asks whether it has.
  std::move_only_function<std::optional<store::NotModified>(const crawler::FetchRecord&)>
      stored_before;
};

// REQUIRES: CrawlSettings::archive has a name, and the settings are complete.
ArchivePlan plan_archive(const CrawlSettings& settings);

// The archive of one crawl, from its first file to its package.
//
// BOUND: with an index or a package, some 300 bytes for each answer until the end.
class ArchiveSession {
 public:
  // Looks after what an earlier crawl into the same files left, and begins a new one. BORROWS: the
  // sink that pages go to behind the archive, and the machine.
  static async::Task<Result<std::unique_ptr<ArchiveSession>>> open(ArchivePlan plan,
                                                                   crawler::PageSink& next,
                                                                   Machine& machine);
  ~ArchiveSession();

  // In front of the other one.
  crawler::PageSink& sink() { return *sink_; }
  store::Archive& archive() { return *archive_; }

  // Closes the last file; writes index and package of all files of that name. BORROWS: this.
  async::Task<Result<void>> finish();

 private:
  ArchiveSession(ArchivePlan plan, Machine& machine);
  bool keeps_entries() const { return plan_.has_index || plan_.has_package; }
  void note_page(const crawler::FetchRecord& record);
  // What the files of earlier runs have, besides.
  Result<void> add_earlier();
  Result<void> write_all();

  ArchivePlan plan_;
  Machine& machine_;
  async::ThreadPool pool_;
  std::unique_ptr<store::ArchiveFiles> files_;
  store::PayloadsInMemory payloads_;
  std::vector<std::string> earlier_;  // files that were there before
  std::unique_ptr<store::Archive> archive_;
  std::unique_ptr<store::ArchivingSink> sink_;
  std::vector<std::string> index_;  // lines
  std::string pages_;               // of pages.jsonl
  std::uint64_t page_count_ = 0;
  warc::WaczPage main_page_;
};

}  // namespace gossamer::run

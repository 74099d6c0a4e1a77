#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "async/thread_pool.h"
#include "base/result.h"
#include "index/live_index.h"
#include "record/page_sink.h"
#include "run/machine/machine.h"
#include "settings/archive_settings.h"
#include "store/archive.h"
#include "store/archive_bodies.h"
#include "store/archive_files.h"
#include "store/archive_payloads.h"
#include "store/archiving_sink.h"
#include "warc/wacz.h"

namespace gossamer::run {

struct CrawlSettings;

// Writes the archive of one crawl, its index and its package.
//
// BOUND: with an index or a package, about 300 bytes per response until the end.
class ArchiveSession {
 public:
  // What a crawl directory adds to its archive.
  struct Job {
    // The payloads that the archive already has; nullptr: only those of this run. BORROWS.
    store::KnownPayloads* known = nullptr;
    // Called after the files of earlier crawls are repaired and before anything is written.
    std::move_only_function<Result<void>(const store::Archive& archive)> before_first_file = {};
    store::ArchivingOptions archiving = {};
  };
  // Repairs the files of an earlier crawl and starts a new one. REQUIRES: CrawlSettings::archive
  // has a name, and the settings are complete. BORROWS: the settings, the sink that gets the pages
  // after the archive, and the machine.
  static async::Task<Result<std::unique_ptr<ArchiveSession>>> open(const CrawlSettings& settings,
                                                                   Job job, crawler::PageSink& next,
                                                                   Machine& machine);
  ~ArchiveSession();

  // The sink that archives pages and passes them to the other one.
  crawler::PageSink& sink() { return *sink_; }
  store::Archive& archive() { return *archive_; }
  // For bodies that are too large for memory.
  crawler::BodyFiles& bodies() { return *bodies_; }

  // Closes the last file, and writes index and package of all files. BORROWS: this.
  async::Task<Result<void>> finish();
  // Completes the search index; call it after finish(). If it cannot be written, calls `say` with a
  // line for the user: the archive is complete without it. BORROWS: this.
  async::Task<void> finish_search_index(std::move_only_function<void(const std::string&)> say);
  // Lets finish_search_index() return soon: a later run completes the index.
  void stop_search_index();

 private:
  ArchiveSession(const ArchiveSettings& settings, Machine& machine);
  bool keeps_entries() const { return settings_.has_index || settings_.has_package; }
  void note_page(const crawler::FetchRecord& record);
  // Adds the entries of the files of earlier runs.
  Result<void> add_earlier();
  Result<void> write_all();
  void offer(const crawler::FetchRecord& record, crawler::Exchange exchange);

  const ArchiveSettings& settings_;
  const std::string name_;  // NAME-00001.warc.gz
  Machine& machine_;
  async::ThreadPool pool_;
  std::unique_ptr<store::ArchiveFiles> files_;
  store::PayloadsInMemory payloads_;
  std::vector<std::string> earlier_;  // files of earlier runs
  std::unique_ptr<store::Archive> archive_;
  std::unique_ptr<store::ArchiveBodies> bodies_;
  std::unique_ptr<index::LiveIndex> search_;  // nullptr: none
  std::unique_ptr<store::ArchivingSink> sink_;
  std::vector<std::string> index_;  // lines
  std::string pages_;               // of pages.jsonl
  std::uint64_t page_count_ = 0;
  warc::WaczPage main_page_;
};

}  // namespace gossamer::run

#pragma once

#include <functional>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/page/page_sink.h"
#include "crawl/page/record.h"
#include "store/archive.h"

namespace gossamer::store {

struct ArchivingOptions {
  // How long to wait for room on a full disk before the crawl ends. Meanwhile nothing is fetched
  // that has no place.
  Duration space_patience = Duration::zero();
  // False: nothing is put until it says otherwise, as if the disk were full. Empty: nobody asks.
  std::move_only_function<bool()> has_room;
  // What a page that has not changed (304) was when it was stored. Nothing: not known.
  std::move_only_function<std::optional<NotModified>(const crawler::FetchRecord& record)>
      stored_before;
  // Told of every page that is in the archive, before it goes on.
  std::move_only_function<void(const crawler::FetchRecord& record)> on_archived;
};

// In front of another sink: puts what comes into the archive, notes in the record where, and hands
// the page on.
class ArchivingSink final : public crawler::PageSink {
 public:
  // BORROWS: archive and next.
  ArchivingSink(Archive& archive, crawler::PageSink& next, ArchivingOptions options = {})
      : archive_(archive), next_(next), options_(std::move(options)) {}

  // Fails with Errc::io_failed when the archive does, and as the next sink does.
  async::Task<Result<void>> put(crawler::Page page) override;
  async::Task<Result<void>> put_other(crawler::Exchange exchange) override;
  void skip(const crawler::SkippedUrl& skipped) override { next_.skip(skipped); }

 private:
  // BORROWS: the exchange.
  async::Task<Result<ArchivePlace>> keep(const crawler::Exchange& exchange,
                                         std::optional<NotModified> not_modified = {});

  Archive& archive_;
  crawler::PageSink& next_;
  ArchivingOptions options_;
};

}  // namespace gossamer::store

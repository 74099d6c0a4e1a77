#pragma once

#include <functional>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "record/page_sink.h"
#include "record/record.h"
#include "store/archive.h"

namespace gossamer::store {

struct ArchivingOptions {
  // How long to wait for free space before the crawl ends. Nothing is fetched meanwhile.
  Duration space_patience = Duration::zero();
  // While it returns false, nothing is stored, as if the disk were full. Empty: always true.
  std::move_only_function<bool()> has_room;
  // Returns the stored response of an unchanged page (304). Empty: not known.
  std::move_only_function<std::optional<NotModified>(const crawler::FetchRecord& record)>
      stored_before;
  // Called for every archived page, before the next sink gets it.
  std::move_only_function<void(const crawler::FetchRecord& record)> on_archived;
  // Receives the exchange of every archived page after that; record.archive says where it is.
  std::move_only_function<void(const crawler::FetchRecord& record, crawler::Exchange exchange)>
      take_exchange;
};

// Stores each page in the archive, notes the place in its record, and passes it to the next sink.
class ArchivingSink final : public crawler::PageSink {
 public:
  // BORROWS: archive and next.
  ArchivingSink(Archive& archive, crawler::PageSink& next, ArchivingOptions options = {})
      : archive_(archive), next_(next), options_(std::move(options)) {}

  // Fails with Errc::io_failed if the archive fails, and as the next sink does.
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

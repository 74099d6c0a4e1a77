#include "run/page_stages.h"

#include <exception>
#include <string>
#include <utility>

#include "async/loop.h"
#include "base/check.h"
#include "run/crawl_listener.h"

namespace gossamer::run {

PageStages::PageStages(const Parts& parts)
    : machine_(parts.machine),
      settings_(parts.settings),
      store_(parts.job),
      listener_(parts.listener) {}

PageStages::~PageStages() { CHECK(is_closed_ || std::uncaught_exceptions() > 0); }

async::Task<Outcome<std::unique_ptr<PageStages>>> PageStages::open(Parts parts) {
  std::unique_ptr<PageStages> stages(new PageStages(parts));
  auto failure = co_await stages->open_all();
  if (!failure) co_return stages;
  static_cast<void>(co_await stages->close(crawler::EndReason::failed));
  co_return std::unexpected(std::move(*failure));
}

async::Task<std::optional<Failure>> PageStages::open_all() {
  auto opened = listener_.open_sink(settings_);
  if (!opened) co_return Failure{Part::sink, std::move(opened).error()};
  sink_ = *opened;
  if (store_ != nullptr) {
    auto made = JobPages::open(*store_, settings_, *sink_);
    if (!made) co_return Failure{Part::job, std::move(made).error()};
    pages_ = std::move(*made);
    sink_ = &pages_->sink();
  }
  if (settings_.archive.is_wanted()) {
    ArchiveSession::Job job;
    if (pages_) job = pages_->for_archive();
    auto made = co_await ArchiveSession::open(settings_, std::move(job), *sink_, machine_);
    if (!made) co_return Failure{Part::archive, std::move(made).error()};
    archive_ = std::move(*made);
    sink_ = &archive_->sink();
  }
  if (settings_.finds_similar) {
    similar_.emplace(*sink_, settings_.job.similar_bytes);
    if (pages_) static_cast<void>(co_await pages_->recall_texts(*similar_));
    sink_ = &*similar_;
  }
  clock_ = {.wall_start = machine_.now(), .loop_start = async::Loop::current().now(), .now = [] {
              return async::Loop::current().now();
            }};
  if (!pages_) co_return std::nullopt;
  const bool is_shared = settings_.cluster.is_shared();
  job_.emplace(*pages_, archive_ ? &archive_->archive() : nullptr, settings_, clock_);
  if (is_shared) pages_->table().share(clock_.wall_start);
  auto begun = job_->begin(!is_shared);
  if (begun) co_return std::nullopt;
  // Not all is queued that must be, so its state stays that of the last run.
  job_.reset();
  co_return Failure{Part::job, std::move(begun).error()};
}

void PageStages::begin(const CrawlStart& start) {
  has_begun_ = true;
  listener_.begin(start);
}

async::Task<std::optional<Failure>> PageStages::close(crawler::EndReason end) {
  is_closed_ = true;
  std::optional<Failure> failure;
  const auto note = [&failure](Part part, Result<void> closed) {
    if (!closed && !failure) failure = {part, std::move(closed).error()};
  };
  if (has_begun_) note(Part::sink, co_await listener_.close_sink());
  if (archive_) note(Part::archive, co_await archive_->finish());
  if (job_) note(Part::job, co_await job_->finish(end));
  co_return failure;
}

async::Task<void> PageStages::finish_search_index() {
  if (!archive_) co_return;
  co_await archive_->finish_search_index([this](const std::string& t) { listener_.say(t); });
}

void PageStages::stop_search_index() {
  if (archive_) archive_->stop_search_index();
}

}  // namespace gossamer::run

#include "run/job/archive_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/version.h"
#include "index/page_text.h"
#include "index/search_reader.h"
#include "settings/crawl_settings.h"
#include "store/archive_package.h"

namespace gossamer::run {
namespace {

std::string software() { return fmt::format("gossamer/{}", base::kVersion); }

bool is_page(std::string_view mime) {
  return mime == "text/html" || mime == "application/xhtml+xml";
}

// What each file says of itself.
warc::Fields about(const CrawlSettings& settings) {
  warc::Fields about;
  about.append("software", software());
  about.append("format", "WARC File Format 1.1");
  about.append("conformsTo",
               "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/");
  about.append("robots", settings.obeys_robots ? "obey" : "ignore");
  about.append("http-header-user-agent", settings.user_agent);
  for (const http::Field& field : settings.archive.about) about.append(field.name, field.value);
  return about;
}

std::string folder_of(const ArchiveSettings& archive) {
  const std::size_t slash = archive.file.rfind('/');
  return slash == std::string::npos ? "." : archive.file.substr(0, slash + 1);
}

std::string search_index_of(const CrawlSettings& settings) {
  const std::string& job = settings.job.folder;
  const std::string folder = job.empty() ? folder_of(settings.archive) : job;
  return folder + (folder.ends_with('/') ? "" : "/") + std::string(index::kIndexName);
}

}  // namespace

ArchiveSession::ArchiveSession(const ArchiveSettings& settings, Machine& machine)
    : settings_(settings),
      name_(settings.file.substr(settings.file.rfind('/') + 1)),  // npos + 1 is 0
      machine_(machine),
      pool_(machine.packing_threads()) {}

ArchiveSession::~ArchiveSession() = default;

async::Task<Result<std::unique_ptr<ArchiveSession>>> ArchiveSession::open(
    const CrawlSettings& settings, Job job, crawler::PageSink& next, Machine& machine) {
  std::unique_ptr<ArchiveSession> session(new ArchiveSession(settings.archive, machine));
  ArchiveSession& self = *session;
  const std::string folder = folder_of(settings.archive);
  const bool is_inner =
      !settings.job.folder.empty() && folder.starts_with(settings.job.folder + "/");
  auto files = machine.open_archive(folder, is_inner);
  if (!files) co_return fail(std::move(files).error());
  self.files_ = std::move(*files);
  store::ArchiveOptions options;
  options.name = self.name_;
  options.file_bytes_max = settings.archive.max_size;
  const std::uint64_t memory = memory_share(settings.job);
  options.pending_bytes_max = std::min(options.pending_bytes_max, memory);
  options.unsynced_bytes_max = memory;
  options.about = about(settings);
  options.seed = machine.draw();
  options.now = [&machine] { return machine.now(); };
  if (settings.archive.drops_copies) {
    options.known = job.known != nullptr ? job.known : &self.payloads_;
  }
  if (self.keeps_entries()) {
    options.on_entry = [&self](const warc::CdxjEntry& entry) {
      self.index_.push_back(entry.to_line());
    };
  }
  auto archive = co_await store::Archive::open(*self.files_, self.pool_, std::move(options));
  if (!archive) co_return fail(std::move(archive).error());
  self.archive_ = std::move(*archive);
  self.bodies_ = std::make_unique<store::ArchiveBodies>(*self.files_, self.name_,
                                                        job.archiving.space_patience, memory);
  self.earlier_ = self.archive_->closed_files();
  if (job.before_first_file) {
    auto done = job.before_first_file(*self.archive_);
    if (!done) co_return fail(std::move(done).error());
  }
  if (auto begun = co_await self.archive_->begin(); !begun) {
    co_return fail(std::move(begun).error());
  }
  store::ArchivingOptions& archiving = job.archiving;
  if (settings.archive.has_package) {
    archiving.on_archived = [&self](const crawler::FetchRecord& record) { self.note_page(record); };
  }
  if (settings.builds_index) {
    self.search_ = std::make_unique<index::LiveIndex>(
        search_index_of(settings), std::min(index::LiveIndex::kQueueBytes, memory));
    archiving.take_exchange = [&self](const crawler::FetchRecord& record,
                                      crawler::Exchange exchange) {
      self.offer(record, std::move(exchange));
    };
  }
  self.sink_ = std::make_unique<store::ArchivingSink>(*self.archive_, next, std::move(archiving));
  co_return session;
}

void ArchiveSession::note_page(const crawler::FetchRecord& record) {
  const int status = record.status.value_or(0);
  if (status < 200 || status >= 300 || record.is_requisite || !is_page(record.mime)) return;
  warc::WaczPage page = {.id = std::to_string(++page_count_),
                         .url = record.url,
                         .date = record.ts,
                         .title = record.title};
  pages_ += warc::page_line(page) + '\n';
  if (main_page_.url.empty()) main_page_ = std::move(page);
}

void ArchiveSession::offer(const crawler::FetchRecord& record, crawler::Exchange exchange) {
  const int status = record.status.value_or(0);
  // The text of an unchanged page is in an earlier record, one without a type must be decoded, and
  // a large one is not in memory any more.
  if (status == 304 || record.mime.empty() || exchange.capture.file) search_->miss();
  if (exchange.capture.file) return;
  if (status < 200 || status >= 300) return;
  const bool is_page =
      index::text_kind(record.mime, exchange.capture.payload) != index::TextKind::none;
  if (record.mime.empty() && !is_page) return;  // it may be a page that is compressed
  index::LivePage page = {.url = std::move(exchange.url),
                          .captured = exchange.ts,
                          .archive = files_->path_of(record.archive->file),
                          .offset = record.archive->offset};
  if (is_page) {
    page.head = std::move(exchange.capture.response_head);
    page.payload = std::move(exchange.capture.payload);
  }
  search_->offer(std::move(page));
}

Result<void> ArchiveSession::add_earlier() {
  for (const std::string& name : earlier_) {
    auto entries = store::index_of_file(*files_, name);
    if (!entries) return fail(std::move(entries).error());
    for (const warc::CdxjEntry& entry : *entries) {
      index_.push_back(entry.to_line());
      const auto date = warc::parse_record_date(entry.timestamp);
      if (!settings_.has_package || !date || entry.status != "200" || !is_page(entry.mime)) {
        continue;
      }
      pages_ +=
          warc::page_line({.id = std::to_string(++page_count_), .url = entry.url, .date = *date}) +
          '\n';
    }
  }
  return {};
}

Result<void> ArchiveSession::write_all() {
  if (auto added = add_earlier(); !added) return added;
  const std::string index = warc::sorted_lines(std::exchange(index_, {}));
  if (settings_.has_index) {
    auto written = files_->write_whole(
        name_ + ".cdxj", [&index](store::ArchiveFiles::Use& put) { return put(as_bytes(index)); });
    if (!written) return written;
  }
  if (!settings_.has_package) return {};
  const std::string pages = warc::pages_header_line() + '\n' + pages_;
  store::PackagePlan package = {.archives = {},
                                .index = index,
                                .pages = pages,
                                .date = machine_.now(),
                                .about = {.created = machine_.now(), .software = software()}};
  package.archives = archive_->closed_files();
  package.about.title = name_;
  package.about.main_page_url = main_page_.url;
  package.about.main_page_date = main_page_.date;
  return store::write_package(*files_, name_ + ".wacz", package);
}

async::Task<Result<void>> ArchiveSession::finish() {
  if (auto closed = co_await archive_->close(); !closed) {
    co_return fail(Errc::io_failed, "cannot close the archive: " + closed.error().message());
  }
  if (!keeps_entries()) co_return {};
  auto written = co_await pool_.run([this] { return write_all(); });
  if (!written) co_return fail(Errc::io_failed, written.error().message());
  co_return {};
}

async::Task<void> ArchiveSession::finish_search_index(
    std::move_only_function<void(const std::string&)> say) {
  if (!search_) co_return;
  index::LiveIndex::Archives archives;
  for (const std::string& name : archive_->closed_files()) {
    const bool is_earlier = std::ranges::find(earlier_, name) != earlier_.end();
    (is_earlier ? archives.earlier : archives.of_this_run).push_back(files_->path_of(name));
  }
  auto done = co_await pool_.run([&] { return search_->finish(archives); });
  if (done) co_return;
  say("the search index is incomplete: " + done.error().message() +
      "; `gossamer index` completes it");
}

void ArchiveSession::stop_search_index() {
  if (search_) search_->stop();
}

}  // namespace gossamer::run

#include "captures/collection.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "record/outcome.h"
#include "store/archive_file.h"
#include "store/stored_crawl.h"
#include "store/warc_walk.h"
#include "url/url.h"
#include "warc/rendered_page.h"
#include "warc/wacz.h"

namespace gossamer::captures {
namespace {

// Records that are added to the index at a time, so that readers wait only briefly.
constexpr std::size_t kBatch = 2000;
constexpr std::size_t kRootsMax = 20;
// BOUND: longer URLs fit into no request of our server.
constexpr std::size_t kUrlBytesMax = std::size_t{8} * 1024;
// BOUND: longer types are cut. Registered ones have at most 127 bytes.
constexpr std::size_t kTypeBytesMax = 127;
constexpr std::string_view kUnfinished = ".open";
constexpr std::string_view kZipMagic = "PK\x03\x04";

std::string last_part(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path.substr(path.rfind('/') + 1));
}

// The size of a file that may still be unfinished; 0 if it cannot be read.
std::uint64_t size_of(const std::string& path) {
  std::error_code failure;
  auto size = std::filesystem::file_size(path, failure);
  if (failure) size = std::filesystem::file_size(path + std::string(kUnfinished), failure);
  return failure ? 0 : size;
}

Result<bool> is_package(const std::string& path) {
  store::ArchiveFile file;
  if (auto opened = file.open(path, 0); !opened) return fail(std::move(opened).error());
  const auto first = file.read();
  if (!first) return fail(first.error().copy());
  return as_text(*first).starts_with(kZipMagic);
}

// A text that is not a URL could have the key of another one.
bool is_servable(std::string_view url) {
  return url.size() <= kUrlBytesMax && url::Url::parse(url).has_value();
}

}  // namespace

std::string_view name(ServedArchive::Kind kind) noexcept {
  switch (kind) {
    case ServedArchive::Kind::job: return "job";
    case ServedArchive::Kind::warc: return "warc";
    case ServedArchive::Kind::wacz: return "wacz";
  }
  return "";
}

struct Collection::Found {
  Capture capture;
  std::string type;
  std::uint64_t record = 0;
  std::uint64_t payload = 0;
  bool is_rendered = false;  // only another form of a capture
};

// Collects the captures of a file.
class Collection::IndexVisitor final : public store::RecordVisitor {
 public:
  IndexVisitor(Collection& collection, std::uint32_t number, const File& file)
      : collection_(collection),
        file_(number),
        archive_(file.archive),
        base_(file.read),
        last_(file.last),
        is_growing_(!file.is_ready) {}

  void begin_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    const bool is_same_member = last_member_ == extent.member_offset;
    ordinal_ = is_same_member && has_record_ ? ordinal_ + 1 : 0;
    last_member_ = extent.member_offset;
    has_record_ = true;
    found_.reset();
    const bool is_rendered = warc::is_rendered_page(head);
    const bool is_wanted = is_rendered || warc::is_answer(head.type);
    if (!is_wanted || head.target_uri().empty()) return;
    // A growing file is read again from the last place where a record begins in the file itself.
    const Place here(base_ + extent.member_offset, ordinal_);
    if (last_ && here <= *last_) return;
    last_seen_ = here;
    if (!is_servable(head.target_uri())) {
      ++damage_;
      return;
    }
    found_.emplace().is_rendered = is_rendered;
    Capture& capture = found_->capture;
    capture.url = head.target_uri();
    capture.at = head.date().value_or(WallTime());
    capture.place = {.file = file_, .ordinal = ordinal_, .offset = base_ + extent.member_offset};
    capture.archive = archive_;
    capture.bytes = head.block_bytes;
    capture.is_revisit = head.type == warc::RecordType::revisit;
    if (!head.record_id().empty()) found_->record = base::hash64(head.record_id());
    if (const auto digest = head.fields.find("WARC-Payload-Digest"); digest && !digest->empty()) {
      found_->payload = base::hash64(*digest);
    }
    block_.emplace();
    has_http_ = head.has_http();
    if (!has_http_) found_->type = head.content_type().substr(0, kTypeBytesMax);
  }

  void block(Bytes piece) override {
    if (found_ && has_http_ && !block_->head()) static_cast<void>(block_->feed(piece));
  }

  void end_record(const warc::RecordHead&, const warc::Extent& extent) override {
    if (extent.is_whole && extent.can_be_cut_out())
      whole_end_ = extent.member_offset + extent.member_bytes;
    // The rest of an unfinished record may follow.
    if (!found_ || (!extent.is_whole && is_growing_)) return;
    if (has_http_) {
      if (!block_->head()) block_->finish();
      if (block_->head()) {
        found_->capture.status = static_cast<std::uint16_t>(block_->head()->status().value_or(0));
        found_->type = block_->head()->content_type().substr(0, kTypeBytesMax);
      }
    }
    found_->type.resize(
        std::min({found_->type.find_first_of("; \t"), found_->type.size(), kTypeBytesMax}));
    last_ = last_seen_;
    batch_.push_back(std::move(*found_));
    found_.reset();
    if (batch_.size() >= kBatch) flush();
  }

  bool is_satisfied() const override { return collection_.is_stopping_; }

  void fault(const warc::Fault& fault) override { damage_ += fault.is_warning ? 0 : 1; }

  void flush() { collection_.merge(std::exchange(batch_, {})); }
  std::uint64_t whole_end() const { return whole_end_; }
  std::uint64_t damage() const { return damage_; }
  // The last record that is in the index.
  const std::optional<Place>& last() const { return last_; }

 private:
  Collection& collection_;
  const std::uint32_t file_;
  const std::uint32_t archive_;
  const std::uint64_t base_;  // offset of the first record
  std::optional<Place> last_;
  Place last_seen_;
  const bool is_growing_;
  std::optional<Found> found_;
  std::optional<warc::HttpBlock> block_;
  std::vector<Found> batch_;
  std::uint64_t last_member_ = 0;
  std::uint64_t whole_end_ = 0;
  std::uint64_t damage_ = 0;
  std::uint32_t ordinal_ = 0;
  bool has_record_ = false;
  bool has_http_ = false;
};

Result<std::unique_ptr<Collection>> Collection::open(const std::vector<std::string>& paths) {
  std::unique_ptr<Collection> collection(new Collection());
  for (const std::string& path : paths) {
    if (auto added = collection->add_path(path); !added) return fail(std::move(added).error());
  }
  return collection;
}

Result<ServedArchive> Collection::find_job(const std::string& path) {
  auto folder = store::JobFolder::open(path, store::JobFolder::Access::read);
  if (!folder) return fail(std::move(folder).error());
  if (folder->is_new()) return fail(Errc::not_found, path + " has no settings of a crawl yet");
  return ServedArchive{
      .kind = ServedArchive::Kind::job, .path = path, .name = last_part(path), .roots = {}};
}

Result<std::uint32_t> Collection::add(const std::string& folder) {
  auto found = find_job(folder);
  if (!found) return fail(std::move(found).error());
  const std::unique_lock lock(mutex_);
  return append(std::move(*found));
}

std::uint32_t Collection::append(ServedArchive archive) {
  const auto number = static_cast<std::uint32_t>(archives_.size());
  archive.crawl = number;
  if (archive.kind == ServedArchive::Kind::warc) {
    namespace fs = std::filesystem;
    std::error_code failure;  // then the folder is as the user wrote it
    const fs::path path = fs::weakly_canonical(fs::absolute(archive.path, failure), failure);
    std::string folder = (failure ? fs::path(archive.path) : path).parent_path();
    archive.crawl = folders_.try_emplace(std::move(folder), number).first->second;
  }
  archives_.push_back(std::move(archive));
  return number;
}

Result<void> Collection::add_path(const std::string& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    auto added = add(path);
    return added ? Result<void>() : fail(std::move(added).error());
  }
  ServedArchive archive = {.path = path, .name = last_part(path)};
  const auto is_zip = is_package(path);
  if (!is_zip) return fail(is_zip.error().copy());
  archive.kind = *is_zip ? ServedArchive::Kind::wacz : ServedArchive::Kind::warc;
  const std::uint32_t number = append(std::move(archive));
  if (!*is_zip) {
    files_.push_back({.archive = number, .path = path, .is_ready = true});
    return {};
  }
  list_package(number, path);
  return {};
}

void Collection::list_package(std::uint32_t archive, const std::string& path) {
  const auto source = store::WarcSource::open(path);
  if (!source) return note_failure(archive, source.error());
  if (auto named = (*source)->check_names(); !named) return note_failure(archive, named.error());
  for (const warc::ZipEntry* entry : warc::archives_of(*(*source)->package())) {
    files_.push_back({.archive = archive, .path = path, .member = entry->name, .is_ready = true});
  }
}

void Collection::note_failure(std::uint32_t archive, const Error& error) {
  const std::unique_lock lock(mutex_);
  archives_[archive].failure = error.message();
}

void Collection::note_crawl_failure(std::uint32_t number, std::string reason) {
  const std::unique_lock lock(mutex_);
  ServedArchive& archive = archives_[number];
  // An archive that cannot be read has its own reason.
  if (archive.failure == archive.crawl_failure || !reason.empty()) archive.failure = reason;
  archive.job_damage = reason.empty() ? 0 : 1;
  archive.crawl_failure = std::move(reason);
}

void Collection::update(bool has_tables) {
  const std::scoped_lock updating(updating_);
  const auto count = [this] {
    return read([](const auto& archives, const auto&) { return archives.size(); });
  };
  for (std::uint32_t i = 0; i < count() && !is_stopping_; ++i) {
    const auto [kind, path, was_read, was_busy] = read([i](const auto& archives, const auto&) {
      const ServedArchive& archive = archives[i];
      return std::tuple(archive.kind, archive.path, archive.has_been_read, archive.is_busy);
    });
    if (kind != ServedArchive::Kind::job) {
      if (was_read) continue;
    } else {
      // A crawl may begin in the directory at any time.
      const auto folder = store::JobFolder::open(path, store::JobFolder::Access::read);
      const bool is_busy = folder && folder->is_busy();
      if (was_read && !is_busy && !was_busy) continue;
      list_job_files(i, path + "/archive");
      if (!was_read || has_tables || is_busy != was_busy) read_crawl(i, path);
      const std::unique_lock lock(mutex_);
      archives_[i].is_busy = is_busy;
      if (is_busy) archives_[i].state = "running";
    }
    for (std::uint32_t file = 0; file < files_.size(); ++file) {
      if (files_[file].archive == i && !is_stopping_) read_new_records(file);
    }
    const std::unique_lock lock(mutex_);
    archives_[i].has_been_read = true;
  }
}

void Collection::list_job_files(std::uint32_t archive, const std::string& folder) {
  std::error_code failure;
  // A folder that cannot be read any more ends the list, not the server.
  for (std::filesystem::directory_iterator entry(folder, failure);
       !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    std::string path = entry->path();
    if (!last_part(path).contains(".warc")) continue;
    const bool is_open = path.ends_with(kUnfinished);
    if (is_open) path.resize(path.size() - kUnfinished.size());
    const std::unique_lock lock(mutex_);
    const auto known = std::ranges::find(files_, path, &File::path);
    if (known == files_.end()) {
      files_.push_back({.archive = archive, .path = path, .is_ready = !is_open, .is_in_job = true});
    } else {
      known->is_ready = !is_open;
    }
  }
}

void Collection::read_new_records(std::uint32_t number) {
  const File file = files_[number];
  const std::uint64_t size = size_of(file.path);
  // A file that has become complete may have grown at the same moment, so sizes decide.
  if (size == file.size && file.size > 0) return;
  IndexVisitor visitor(*this, number, file);
  const auto walked = walk_file(file, file.read, visitor);
  visitor.flush();
  if (!walked) note_failure(file.archive, walked.error());
  const std::unique_lock lock(mutex_);
  files_[number].size = size;
  files_[number].read += visitor.whole_end();
  files_[number].last = visitor.last();
  if (file.is_ready) archives_[file.archive].damage += visitor.damage();
}

std::optional<Capture> Collection::nearest(const Wanted& wanted) const {
  const std::shared_lock lock(mutex_);
  const auto captures = index_.captures_of(wanted.url, [&](const Capture& one) {
    if (wanted.crawl && archives_[one.archive].crawl != *wanted.crawl) return false;
    return wanted.but_not == nullptr || one.place != wanted.but_not->place;
  });
  if (captures.empty()) return {};
  return *captures[nearest_capture(captures, wanted.at.value_or(captures.back()->at))];
}

Result<ArchivedAnswer> Collection::shown_of(const Capture& capture, const WorkLimit& limit) const {
  const auto place =
      read([&](const auto&, const auto& index) { return index.find_rendered(capture); });
  if (place) {
    Capture rendered = capture;
    rendered.place = *place;
    // The response shows something as well.
    if (auto answer = answer_of(rendered, limit); answer && answer->is_whole) return answer;
  }
  return answer_of(capture, limit);
}

Result<void> Collection::walk_file(const File& file, std::uint64_t offset,
                                   store::RecordVisitor& visitor) {
  if (file.is_in_job) {
    const std::filesystem::path path(file.path);
    return store::walk_in(path.parent_path(), path.filename(), offset, visitor);
  }
  if (file.member.empty()) return store::walk_from(file.path, offset, visitor);
  const auto source = store::WarcSource::open(file.path);
  if (!source) return fail(source.error().copy());
  const warc::ZipArchive& package = *(*source)->package();
  const warc::ZipEntry* const entry = package.find(file.member);
  if (entry == nullptr) return fail(Errc::not_found, file.member + " is not in the package");
  if (entry->method == 0) {
    const auto stored = package.stored(*entry);
    if (!stored) return fail(stored.error().copy());
    if (offset > stored->size()) return fail(Errc::malformed, "the offset is behind the end");
    Bytes rest = stored->subspan(offset);
    return store::walk_records([&rest]() -> Result<Bytes> { return std::exchange(rest, {}); },
                               visitor);
  }
  auto member = warc::ZipMemberReader::open(package, *entry);
  if (!member) return fail(std::move(member).error());
  std::uint64_t left = offset;
  return store::walk_records(
      [&]() -> Result<Bytes> {
        for (;;) {
          auto piece = member->next();
          if (!piece || piece->empty() || piece->size() > left) {
            if (piece) piece = piece->subspan(std::min<std::size_t>(left, piece->size()));
            left = 0;
            return piece;
          }
          left -= piece->size();
        }
      },
      visitor);
}

void Collection::merge(std::vector<Found> batch) {
  const std::unique_lock lock(mutex_);
  for (Found& found : batch) {
    if (found.is_rendered) {
      index_.add_rendered(found.capture);
      continue;
    }
    ServedArchive& archive = archives_[found.capture.archive];
    ++archive.captures;
    archive.bytes += found.capture.bytes;
    found.capture.type = index_.type_number(found.type);
    index_.add(std::move(found.capture), found.record, found.payload);
  }
  index_.sort();
}

void Collection::read_crawl(std::uint32_t archive, const std::string& path) {
  const auto crawl = store::StoredCrawl::open(path);
  if (!crawl) return note_crawl_failure(archive, crawl.error().message());
  std::vector<std::string> roots;
  const auto done = crawl->for_each_page([&](const crawler::FetchRecord& record) {
    if (record.depth == 0 && record.via.empty() && roots.size() < kRootsMax) {
      roots.push_back(record.url);
    }
    if (!is_servable(record.url)) return true;
    UrlEntry::Fetched fetched = {.title = record.title,
                                 .error = std::string(record.error),
                                 .depth = record.depth,
                                 .archive = archive,
                                 .status = static_cast<std::uint16_t>(record.status.value_or(0)),
                                 .outcome = crawler::outcome_of(record)};
    const std::unique_lock lock(mutex_);
    index_.add_fetched(record.url, std::move(fetched));
    return !is_stopping_;
  });
  note_crawl_failure(archive, done ? std::string() : done.error().message());
  const std::unique_lock lock(mutex_);
  archives_[archive].job_damage += crawl->archive_damage().size();
  archives_[archive].roots = std::move(roots);
  archives_[archive].state = crawl->state();
}

}  // namespace gossamer::captures

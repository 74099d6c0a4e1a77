#include "index/archive_indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "index/response_text.h"
#include "store/job_folder.h"
#include "store/warc_source.h"
#include "store/warc_walk.h"
#include "url/url.h"

namespace gossamer::index {
namespace {

namespace fs = std::filesystem;

// A file that a crawl is writing ends with it. Its last record may be incomplete.
constexpr std::string_view kOpenEnding = ".open";
// BOUND: revisits whose original may come later.
constexpr std::size_t kRevisitsMax = 100'000;
constexpr std::uint64_t kNoOffset = std::numeric_limits<std::uint64_t>::max();

struct Revisit {
  PageOrigin origin;
  std::string first_url;
  WallTime first_captured;
};

// Indexes the records of one archive after the other.
class IndexingVisitor final : public store::RecordVisitor {
 public:
  IndexingVisitor(SearchWriter& writer, IndexEvents& events, IndexCounts& counts)
      : writer_(writer), events_(events), counts_(counts) {}

  // The records begin at this offset of the archive, whose first bytes are `begin`.
  void begin(ArchiveName archive, std::uint64_t offset, std::string_view begin) {
    archive_ = std::move(archive);
    archive_begin_ = begin.substr(0, kFingerprintBytes);
    begin_ = offset;
    position_ = offset;
    has_position_ = true;
    is_advancing_ = true;
  }
  // Positions in this archive mean nothing: a run must read it from its begin.
  void forget_position() { has_position_ = false; }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    reader_.reset();
    origin_.reset();
    using enum warc::RecordType;
    const bool is_wanted = head.type == response || head.type == resource || head.type == revisit;
    if (!is_wanted) return;
    const auto url = url::Url::parse(head.target_uri());
    const auto date = head.date();
    if (!url || !date || !is_indexed(*url)) return;
    PageOrigin origin = {.url = std::string(url->without_fragment()), .captured = *date};
    const auto known = writer_.has(origin.url, origin.captured);
    if (!known) return end_with(known.error());
    if (*known) {
      ++counts_.known;
      return;
    }
    origin.archive = archive_;
    origin_ = std::move(origin);
    reader_.emplace(head);
  }

  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
    if (writer_.is_batch_full()) commit();
  }

  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    if (origin_ && extent.is_whole) {
      origin_->offset = begin_ + extent.member_offset;
      if (head.type == warc::RecordType::revisit) {
        add_revisit(head);
      } else {
        add_page();
      }
    }
    if (!extent.can_be_cut_out() || !extent.is_whole) is_advancing_ = false;
    if (is_advancing_) position_ = begin_ + extent.member_offset + extent.member_bytes;
    if (writer_.is_batch_full()) commit();
  }

  void fault(const warc::Fault& fault) override {
    if (fault.is_warning || is_growing_) return;
    ++counts_.faults;
    if (events_.on_fault) {
      events_.on_fault(archive_.path, fmt::format("offset {}: {}", fault.offset, fault.text));
    }
  }

  bool is_satisfied() const override {
    return failure_ || (events_.is_stopped && events_.is_stopped());
  }

  void set_growing(bool is_growing) { is_growing_ = is_growing; }
  // Commits the pages and how far the archive was read.
  void commit() {
    if (failure_) return;
    if (has_position_) store_position();
    if (failure_) return;
    if (auto done = writer_.commit(); !done) return end_with(done.error());
    if (events_.on_progress) events_.on_progress(counts_);
  }
  // The originals of these may be in archives that were read later.
  void resolve_revisits() {
    for (auto& [archive, held] : held_) held.first_revisit = held.first_lost;
    for (const Revisit& revisit : std::exchange(revisits_, {})) {
      if (failure_) return;
      if (skip_with_original(revisit)) continue;
      const auto added =
          writer_.add_revisit(revisit.origin, revisit.first_url, revisit.first_captured);
      if (!added) return end_with(added.error());
      *added ? ++counts_.added : ++counts_.unresolved;
      const auto held = *added ? held_.end() : held_.find(revisit.origin.archive);
      if (held == held_.end()) continue;
      held->second.first_revisit = std::min(held->second.first_revisit, revisit.origin.offset);
    }
    for (const auto& [archive, held] : held_) {
      const std::uint64_t offset = std::min(held.end, held.first_revisit);
      if (auto set = writer_.set_position(archive, archive_position(held.begin, offset)); !set) {
        return end_with(set.error());
      }
    }
    has_position_ = false;  // all are stored
  }
  // The index cannot be used.
  void end_with(const Error& error) {
    if (!failure_) failure_ = error.copy();
  }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool is_skipped(std::string_view url, WallTime captured) {
    const auto skipped = writer_.is_skipped(url, captured);
    if (!skipped) end_with(skipped.error());
    return skipped && *skipped;
  }
  void skip(const PageOrigin& origin) {
    if (auto done = writer_.skip(origin.url, origin.captured); !done) end_with(done.error());
  }
  // A record that says "not modified" does not say of what. A redirect and a page can have the same
  // URL and second: then the page is the original.
  bool skip_with_original(const Revisit& revisit) {
    if (!is_skipped(revisit.first_url, revisit.first_captured)) return false;
    const auto known = writer_.has(revisit.first_url, revisit.first_captured);
    if (!known) end_with(known.error());
    if (!known || *known) return false;
    skip(revisit.origin);
    return true;
  }

  void add_page() {
    const auto url = url::Url::parse(origin_->url);
    auto text = reader_->finish(*url);
    if (!text) return skip(*origin_);
    origin_->mime = std::move(text->mime);
    const auto added = writer_.add(*origin_, text->text);
    if (!added) return end_with(added.error());
    if (*added) ++counts_.added;
  }

  void add_revisit(const warc::RecordHead& head) {
    if (!reader_->may_be_page()) return skip(*origin_);
    const auto first_url = head.fields.find("WARC-Refers-To-Target-URI");
    const auto first_date = head.fields.find("WARC-Refers-To-Date");
    const auto captured = first_date ? warc::parse_record_date(*first_date) : std::nullopt;
    const auto url = url::Url::parse(first_url.value_or(origin_->url));
    if (!url || !captured) {
      ++counts_.unresolved;
      return;
    }
    Revisit revisit = {*origin_, std::string(url->without_fragment()), *captured};
    if (skip_with_original(revisit)) return;
    const auto added =
        writer_.add_revisit(revisit.origin, revisit.first_url, revisit.first_captured);
    if (!added) return end_with(added.error());
    if (*added) {
      ++counts_.added;
      return;
    }
    if (!has_position_) return keep_revisit(std::move(revisit));
    Held& held = held_[archive_];
    held.first_revisit = std::min(held.first_revisit, revisit.origin.offset);
    if (revisits_.size() >= kRevisitsMax) {
      held.first_lost = std::min(held.first_lost, revisit.origin.offset);
    }
    keep_revisit(std::move(revisit));
  }

  void keep_revisit(Revisit revisit) {
    if (revisits_.size() >= kRevisitsMax) {
      ++counts_.unresolved;
    } else {
      revisits_.push_back(std::move(revisit));
    }
  }

  // A later run must find a revisit again as long as its original is missing.
  void store_position() {
    std::uint64_t offset = position_;
    if (const auto held = held_.find(archive_); held != held_.end()) {
      held->second.end = position_;
      held->second.begin = archive_begin_;
      offset = std::min(offset, held->second.first_revisit);
    }
    const ArchivePosition position = archive_position(archive_begin_, offset);
    if (auto set = writer_.set_position(archive_, position); !set) end_with(set.error());
  }

  SearchWriter& writer_;
  IndexEvents& events_;
  IndexCounts& counts_;
  ArchiveName archive_;
  std::uint64_t begin_ = 0;
  std::uint64_t position_ = 0;
  std::string archive_begin_;
  bool has_position_ = false;  // the archive can be read from a position
  bool is_advancing_ = false;  // all records so far can
  bool is_growing_ = false;
  std::optional<PageOrigin> origin_;  // of a record that is indexed
  std::optional<ResponseReader> reader_;
  std::vector<Revisit> revisits_;
  // The archives of this run with revisits whose original is not in the index.
  struct Held {
    std::uint64_t first_revisit = kNoOffset;
    std::uint64_t first_lost = kNoOffset;  // of those that did not fit into the list
    std::uint64_t end = 0;
    std::string begin;
  };
  std::map<ArchiveName, Held> held_;
  mutable std::optional<Error> failure_;
};

bool is_zstd(Bytes begin) {
  // A frame, or the dictionary that some archives begin with.
  constexpr auto kFrame = std::to_array<unsigned char>({0x28, 0xB5, 0x2F, 0xFD});
  constexpr auto kDictionary = std::to_array<unsigned char>({0x5D, 0x2A, 0x4D, 0x18});
  return begin.size() >= kFrame.size() &&
         (std::memcmp(begin.data(), kFrame.data(), kFrame.size()) == 0 ||
          std::memcmp(begin.data(), kDictionary.data(), kDictionary.size()) == 0);
}

class ArchiveRun {
 public:
  ArchiveRun(SearchWriter& writer, IndexEvents events)
      : writer_(writer), events_(std::move(events)), visitor_(writer, events_, counts_) {}

  Result<IndexCounts> run(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      if (visitor_.is_satisfied()) break;
      visitor_.set_growing(path.ends_with(kOpenEnding));
      has_retried_ = false;
      if (auto read = read_file(path); !read) {
        ++counts_.faults;
        ++counts_.unreadable;
        if (events_.on_fault) events_.on_fault(path, read.error().message());
      }
      visitor_.commit();
    }
    visitor_.resolve_revisits();
    visitor_.commit();
    if (visitor_.failure()) return fail(visitor_.failure()->copy());
    return counts_;
  }

 private:
  // Returns where to continue in an archive that begins like this.
  std::uint64_t position_in(const ArchiveName& name, std::string_view begin) {
    const auto stored = writer_.position(name);
    if (!stored) {
      visitor_.end_with(stored.error());
      return 0;
    }
    const ArchivePosition now = archive_position(begin, stored->offset);
    return now.fingerprint == stored->fingerprint ? stored->offset : 0;
  }

  // Whether an earlier run has read the file to its end.
  bool is_done(const std::string& path) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    if (error || bytes == 0) return false;
    return position_in(archive_name(writer_.path(), path), archive_begin(path)) == bytes;
  }

  // Fails if the file cannot be read.
  Result<void> read_file(const std::string& path) {
    if (is_done(path) || visitor_.is_satisfied()) return {};
    auto source = store::WarcSource::open(path);
    if (!source) return fail(std::move(source).error());
    if (auto named = (*source)->check_names(); !named) return named;
    while (!visitor_.is_satisfied()) {
      const auto has_archive = (*source)->next_archive();
      if (!has_archive) return fail(has_archive.error().copy());
      if (!*has_archive) break;
      const bool is_member = (*source)->package() != nullptr;
      const std::string member =
          is_member ? (*source)->name().substr((*source)->path().size() + 1) : std::string();
      if (auto read = read_archive(**source, archive_name(writer_.path(), path, member)); !read) {
        return read;
      }
      visitor_.commit();
      // A file that became shorter is read from its begin. Its position is none now.
      if (is_short_) return std::exchange(has_retried_, true) ? Result<void>() : read_file(path);
    }
    return {};
  }

  Result<void> read_archive(store::WarcSource& source, ArchiveName name) {
    is_short_ = false;
    auto first = source.read();
    if (!first) return fail(std::move(first).error());
    const bool is_resumable = !is_zstd(*first);
    const std::string first_bytes(as_text(*first).substr(0, kFingerprintBytes));
    const std::uint64_t begin = is_resumable ? position_in(name, first_bytes) : 0;
    Bytes pending = *first;
    if (begin <= pending.size()) {
      pending = pending.subspan(static_cast<std::size_t>(begin));
    } else {
      if (auto skipped = source.skip(begin - pending.size()); !skipped) {
        is_short_ = true;
        visitor_.begin(std::move(name), 0, first_bytes);
        return {};
      }
      pending = {};
    }
    visitor_.begin(std::move(name), begin, first_bytes);
    if (!is_resumable) visitor_.forget_position();
    return store::walk_records(
        [&]() -> Result<Bytes> {
          if (!pending.empty()) return std::exchange(pending, {});
          return source.read();
        },
        visitor_);
  }

  SearchWriter& writer_;
  IndexEvents events_;
  IndexCounts counts_;
  IndexingVisitor visitor_;
  bool is_short_ = false;     // the archive has no bytes at its position
  bool has_retried_ = false;  // the current file
};

bool is_archive(std::string_view name) {
  if (name.ends_with(kOpenEnding)) name.remove_suffix(kOpenEnding.size());
  constexpr auto kEndings = std::to_array<std::string_view>(
      {".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz"});
  return std::ranges::any_of(kEndings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

Result<void> add_archives(const fs::path& folder, std::vector<std::string>& found) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && is_archive(entry->path().filename().string())) {
      found.push_back(entry->path().string());
    }
  }
  if (error) return fail(Error::from_errno(error.value(), "cannot list " + folder.string()));
  return {};
}

}  // namespace

void add_former_archives(const SearchWriter& writer, std::vector<std::string>& paths) {
  std::set<std::string> known;
  for (const std::string& path : paths) known.insert(archive_name(writer.path(), path).path);
  for (const std::string& path : writer.former_archives().paths) {
    if (!known.insert(archive_name(writer.path(), path).path).second) continue;
    for (const std::string& name : {path, path + std::string(kOpenEnding)}) {
      std::error_code error;
      if (!fs::is_regular_file(name, error)) continue;
      paths.push_back(name);
      break;
    }
  }
}

Result<std::vector<std::string>> find_archives(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const bool is_missing = path != "-" && !fs::exists(path, error) && !error;
    if (is_missing) return fail(Errc::not_found, path + " does not exist");
    return std::vector<std::string>{path};
  }
  // A crawl directory may come from another person.
  if (fs::exists(path + "/job.toml", error)) {
    const auto job = store::JobFolder::open(path, store::JobFolder::Access::read);
    if (!job && job.error() == Errc::io_failed) return fail(job.error().copy());
  }
  std::vector<std::string> found;
  if (auto added = add_archives(path, found); !added) return fail(std::move(added).error());
  const fs::path inner = fs::path(path) / "archive";
  if (fs::is_directory(inner, error)) {
    if (auto added = add_archives(inner, found); !added) return fail(std::move(added).error());
  }
  if (found.empty()) return fail(Errc::not_found, path + " has no archives (WARC, ARC, WACZ)");
  std::ranges::sort(
      found, {}, [](const std::string& name) { return std::pair(name.ends_with(".wacz"), name); });
  return found;
}

ArchiveName archive_name(const std::string& index_path, const std::string& archive_path,
                         std::string member) {
  std::string_view name = archive_path;
  if (name.ends_with(kOpenEnding)) name.remove_suffix(kOpenEnding.size());
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(index_path).parent_path(), error);
  fs::path archive = fs::weakly_canonical(fs::absolute(name), error);
  const fs::path relative = archive.lexically_relative(folder);
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return {(is_below ? relative : archive).string(), std::move(member)};
}

ArchivePosition archive_position(std::string_view begin, std::uint64_t offset) noexcept {
  const std::string_view covered =
      begin.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(offset, kFingerprintBytes)));
  return {offset, base::hash64(covered)};
}

std::string archive_begin(const std::string& path) {
  std::string begin(kFingerprintBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin;
}

Result<IndexCounts> index_archives(SearchWriter& writer, const std::vector<std::string>& paths,
                                   IndexEvents events) {
  return ArchiveRun(writer, std::move(events)).run(paths);
}

}  // namespace gossamer::index

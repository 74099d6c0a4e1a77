#include "index/archive_indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "index/response_text.h"
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

  // The records begin at this offset of the archive.
  void begin(ArchiveName archive, std::uint64_t offset) {
    archive_ = std::move(archive);
    begin_ = offset;
    position_ = offset;
    has_position_ = true;
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
    if (head.type != revisit) reader_.emplace(head);
  }

  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
  }

  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    if (origin_ && extent.is_whole) {
      origin_->offset = begin_ + extent.member_offset;
      if (reader_) {
        add_page();
      } else {
        add_revisit(head);
      }
    }
    if (!extent.can_be_cut_out() || !extent.is_whole) has_position_ = false;
    if (has_position_) position_ = begin_ + extent.member_offset + extent.member_bytes;
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
    // A later run must find the revisits again.
    if (has_position_ && revisits_.empty()) {
      if (auto set = writer_.set_position(archive_, position_); !set) {
        return end_with(set.error());
      }
    }
    if (auto done = writer_.commit(); !done) return end_with(done.error());
    if (events_.on_progress) events_.on_progress(counts_);
  }
  // The originals of these may be in archives that were read later.
  void resolve_revisits() {
    for (const Revisit& revisit : std::exchange(revisits_, {})) {
      if (failure_) return;
      const auto added =
          writer_.add_revisit(revisit.origin, revisit.first_url, revisit.first_captured);
      if (!added) return end_with(added.error());
      *added ? ++counts_.added : ++counts_.unresolved;
    }
  }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  void add_page() {
    const auto url = url::Url::parse(origin_->url);
    auto text = reader_->finish(*url);
    if (!text) return;
    origin_->mime = std::move(text->mime);
    const auto added = writer_.add(*origin_, text->text);
    if (!added) return end_with(added.error());
    if (*added) ++counts_.added;
  }

  void add_revisit(const warc::RecordHead& head) {
    const auto first_url = head.fields.find("WARC-Refers-To-Target-URI");
    const auto first_date = head.fields.find("WARC-Refers-To-Date");
    const auto captured = first_date ? warc::parse_record_date(*first_date) : std::nullopt;
    const auto url = url::Url::parse(first_url.value_or(origin_->url));
    if (!url || !captured) {
      ++counts_.unresolved;
      return;
    }
    Revisit revisit = {*origin_, std::string(url->without_fragment()), *captured};
    const auto added =
        writer_.add_revisit(revisit.origin, revisit.first_url, revisit.first_captured);
    if (!added) return end_with(added.error());
    if (*added) {
      ++counts_.added;
    } else if (revisits_.size() < kRevisitsMax) {
      revisits_.push_back(std::move(revisit));
    } else {
      ++counts_.unresolved;
    }
  }

  void end_with(const Error& error) {
    if (!failure_) failure_ = error.copy();
  }

  SearchWriter& writer_;
  IndexEvents& events_;
  IndexCounts& counts_;
  ArchiveName archive_;
  std::uint64_t begin_ = 0;
  std::uint64_t position_ = 0;
  bool has_position_ = false;
  bool is_growing_ = false;
  std::optional<PageOrigin> origin_;  // of a record that is indexed
  std::optional<ResponseReader> reader_;
  std::vector<Revisit> revisits_;
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
      auto read = read_file(path);
      if (!read && read.error() == Errc::unavailable) read = read_file(path);
      if (!read) {
        ++counts_.faults;
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
  // Whether an earlier run has read the file to its end.
  Result<bool> is_done(const std::string& path) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    auto position = writer_.position(archive_name(writer_.path(), path));
    if (!position) return fail(std::move(position).error());
    return !error && bytes > 0 && *position == bytes;
  }

  Result<void> read_file(const std::string& path) {
    auto done = is_done(path);
    if (!done) return fail(std::move(done).error());
    if (*done) return {};
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
    }
    return {};
  }

  Result<void> read_archive(store::WarcSource& source, ArchiveName name) {
    auto position = writer_.position(name);
    if (!position) return fail(std::move(position).error());
    auto first = source.read();
    if (!first) return fail(std::move(first).error());
    const bool is_resumable = !is_zstd(*first);
    std::uint64_t begin = is_resumable ? *position : 0;
    Bytes pending = *first;
    if (begin <= pending.size()) {
      pending = pending.subspan(static_cast<std::size_t>(begin));
    } else {
      if (auto skipped = source.skip(begin - pending.size()); !skipped) {
        // The file is shorter than it was, so it is read from its begin.
        if (auto set = writer_.set_position(name, 0); !set) return set;
        return fail(Errc::unavailable, "the archive becomes shorter while it is read");
      }
      pending = {};
    }
    visitor_.begin(std::move(name), begin);
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

Result<std::vector<std::string>> find_archives(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
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

Result<IndexCounts> index_archives(SearchWriter& writer, const std::vector<std::string>& paths,
                                   IndexEvents events) {
  return ArchiveRun(writer, std::move(events)).run(paths);
}

}  // namespace gossamer::index

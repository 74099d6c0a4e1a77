#include "index/archive_indexer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "index/pending_revisits.h"
#include "index/response_text.h"
#include "store/archive_file.h"
#include "store/job_folder.h"
#include "store/warc_source.h"
#include "store/warc_walk.h"
#include "url/url.h"
#include "warc/answer_reader.h"

namespace gossamer::index {
namespace {

namespace fs = std::filesystem;

// A file that a crawl is writing ends with it. Its last record may be incomplete.
constexpr std::string_view kOpenEnding = ".open";
// A page that is being read.
struct OpenPage {
  OpenPage(PageOrigin from, const warc::RecordHead& head)
      : origin(std::move(from)), answer(head, {}, body) {}

  PageOrigin origin;
  IndexedBody body;
  warc::AnswerReader answer;
};

// Indexes the records of one archive after the other.
class IndexingVisitor final : public store::RecordVisitor {
 public:
  IndexingVisitor(SearchWriter& writer, IndexEvents& events, IndexCounts& counts)
      : writer_(writer), events_(events), counts_(counts) {}

  void begin(OpenArchive archive) { archive_ = std::move(archive); }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    page_.reset();
    if (!warc::is_answer(head.type)) return;
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
    origin.archive = archive_.name;
    page_.emplace(std::move(origin), head);
  }

  void block(Bytes piece) override {
    if (page_) page_->answer.feed(piece);
    if (writer_.is_batch_full()) commit();
  }

  void end_record(const warc::RecordHead&, const warc::Extent& extent) override {
    if (page_ && extent.is_whole) {
      page_->origin.offset = archive_.first + extent.member_offset;
      const warc::Answer answer = page_->answer.finish(extent.is_whole);
      answer.original ? add_revisit(answer) : add_page(answer);
    }
    advance(extent);
    if (writer_.is_batch_full()) commit();
  }

  void fault(const warc::Fault& fault) override {
    if (fault.is_warning || archive_.is_growing) return;
    ++counts_.faults;
    if (events_.on_fault) {
      events_.on_fault(archive_.name.path, fmt::format("offset {}: {}", fault.offset, fault.text));
    }
  }

  bool is_satisfied() const override {
    return failure_ || (events_.is_stopped && events_.is_stopped());
  }

  // Commits the pages and how far the archive was read.
  void commit() {
    if (failure_) return;
    if (archive_.stage != Stage::unplaced) {
      set_position(archive_.name, revisits_.position_in(archive_));
    }
    if (failure_) return;
    if (auto done = writer_.commit(); !done) return end_with(done.error());
    if (events_.on_progress) events_.on_progress(counts_);
  }
  // REQUIRES: all archives were read. The originals of these may be in later ones.
  void resolve_revisits() {
    archive_.stage = Stage::unplaced;  // its position is among those below
    for (const Revisit& revisit : revisits_.take()) {
      if (failure_) return;
      if (skip_with_original(revisit)) continue;
      const auto added = add(revisit);
      if (!added) return;
      if (*added) continue;
      ++counts_.unresolved;
      revisits_.keep(revisit.origin);
    }
    for (const auto& [archive, position] : revisits_.positions()) set_position(archive, position);
  }
  // The index cannot be used.
  void end_with(const Error& error) {
    if (!failure_) failure_ = error.copy();
  }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  using Stage = OpenArchive::Stage;

  // A later run continues behind the last record that it can find again.
  void advance(const warc::Extent& extent) {
    if (archive_.stage != Stage::advancing) return;
    if (extent.can_be_cut_out() && extent.is_whole) {
      archive_.position = archive_.first + extent.member_offset + extent.member_bytes;
    } else {
      archive_.stage = Stage::halted;
    }
  }
  void set_position(const ArchiveName& archive, const ArchivePosition& position) {
    if (auto set = writer_.set_position(archive, position); !set) end_with(set.error());
  }
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

  void add_page(const warc::Answer& answer) {
    PageOrigin& origin = page_->origin;
    auto text = text_of(answer, page_->body, *url::Url::parse(origin.url));
    if (!text) return skip(origin);
    origin.mime = std::move(text->mime);
    const auto added = writer_.add(origin, text->text);
    if (!added) return end_with(added.error());
    if (*added) ++counts_.added;
  }

  void add_revisit(const warc::Answer& answer) {
    const PageOrigin& origin = page_->origin;
    if (!may_be_page(answer)) return skip(origin);
    const warc::Reference& first = *answer.original;
    const auto url = url::Url::parse(first.url.empty() ? origin.url : first.url);
    if (!url || !first.at) {
      ++counts_.unresolved;
      return;
    }
    Revisit revisit = {origin, std::string(url->without_fragment()), *first.at};
    if (skip_with_original(revisit)) return;
    const auto added = add(revisit);
    if (!added || *added) return;
    if (!revisits_.add(std::move(revisit), archive_)) ++counts_.unresolved;
  }
  // Returns false if its original is not in the index, and nothing after a failure.
  std::optional<bool> add(const Revisit& revisit) {
    const auto added =
        writer_.add_revisit(revisit.origin, revisit.first_url, revisit.first_captured);
    if (!added) {
      end_with(added.error());
      return {};
    }
    if (*added) ++counts_.added;
    return *added;
  }

  SearchWriter& writer_;
  IndexEvents& events_;
  IndexCounts& counts_;
  OpenArchive archive_;
  std::optional<OpenPage> page_;  // of a record that is indexed
  PendingRevisits revisits_;
  std::optional<Error> failure_;
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

  // `shorter`: the archive has no bytes at its position any more.
  enum class Read : std::uint8_t { all, shorter };

  // Fails if the file cannot be read. One that became shorter is read from its beginning.
  Result<void> read_file(const std::string& path) {
    for (int tries = 0; tries < 2; ++tries) {
      if (is_done(path) || visitor_.is_satisfied()) break;
      const auto read = read_archives(path);
      if (!read) return fail(read.error().copy());
      if (*read == Read::all) break;
    }
    return {};
  }

  Result<Read> read_archives(const std::string& path) {
    // A pipe can only be one that the user named.
    std::error_code error;
    auto source = fs::is_regular_file(path, error) ? store::WarcSource::open_found(path)
                                                   : store::WarcSource::open(path);
    if (!source) return fail(std::move(source).error());
    if (auto named = (*source)->check_names(); !named) return fail(std::move(named).error());
    while (!visitor_.is_satisfied()) {
      const auto has_archive = (*source)->next_archive();
      if (!has_archive) return fail(has_archive.error().copy());
      if (!*has_archive) break;
      const bool is_member = (*source)->package() != nullptr;
      const std::string member =
          is_member ? (*source)->name().substr((*source)->path().size() + 1) : std::string();
      auto read = read_archive(**source, archive_name(writer_.path(), path, member));
      if (!read) return read;
      visitor_.commit();
      if (*read == Read::shorter) return read;
    }
    return Read::all;
  }

  Result<Read> read_archive(store::WarcSource& source, ArchiveName name) {
    auto first = source.read();
    if (!first) return fail(std::move(first).error());
    using Stage = OpenArchive::Stage;
    OpenArchive archive = {.name = std::move(name),
                           .begin = std::string(as_text(*first).substr(0, kFingerprintBytes)),
                           .stage = is_zstd(*first) ? Stage::unplaced : Stage::advancing,
                           .is_growing = source.path().ends_with(kOpenEnding)};
    if (archive.stage == Stage::advancing) {
      archive.first = archive.position = position_in(archive.name, archive.begin);
    }
    Bytes pending = *first;
    if (archive.first <= pending.size()) {
      pending = pending.subspan(static_cast<std::size_t>(archive.first));
    } else {
      if (auto skipped = source.skip(archive.first - pending.size()); !skipped) {
        archive.first = archive.position = 0;
        visitor_.begin(std::move(archive));
        return Read::shorter;
      }
      pending = {};
    }
    visitor_.begin(std::move(archive));
    auto walked = store::walk_records(
        [&]() -> Result<Bytes> {
          if (!pending.empty()) return std::exchange(pending, {});
          return source.read();
        },
        visitor_);
    if (!walked) return fail(std::move(walked).error());
    return Read::all;
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

// What the user names may be a link, and a file may be in a folder that is one.
std::string without_links(const fs::path& path) {
  std::error_code error;
  const bool is_linked = fs::is_symlink(path, error) || fs::is_symlink(path.parent_path(), error);
  const bool is_there = fs::is_directory(path, error) || fs::is_regular_file(path, error);
  return is_linked && is_there ? fs::canonical(path, error).string() : path.string();
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

Result<std::vector<std::string>> find_archives(const std::string& named) {
  const std::string path = without_links(named);
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
  const auto file = store::open_in_folder(path);
  if (!file) return {};
  std::string begin(kFingerprintBytes, '\0');
  const ssize_t size = pread(file->get(), begin.data(), begin.size(), 0);
  begin.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return begin;
}

Result<IndexCounts> index_archives(SearchWriter& writer, const std::vector<std::string>& paths,
                                   IndexEvents events) {
  return ArchiveRun(writer, std::move(events)).run(paths);
}

}  // namespace gossamer::index

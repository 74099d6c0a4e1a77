#include "store/archive_package.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "store/archive_files.h"
#include "warc/archive_reader.h"
#include "warc/verifier.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kPackagePiece = 256 * 1024;

// Calls use(piece) for all of a file.
template <class Use>
Result<void> read_file(const std::string& path, Use use) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(last_error("open", path));
  std::vector<std::byte> piece(kPackagePiece);
  Result<void> result = {};
  for (;;) {
    const ssize_t count = read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) result = fail(last_error("read", path));
    if (count <= 0) break;
    if (result = use(Bytes(piece).first(static_cast<std::size_t>(count))); !result) break;
  }
  close(file);
  return result;
}

// A new file beside the one that it will become. What is not finished leaves nothing.
class Draft {
 public:
  explicit Draft(const std::string& path)
      : path_(path),
        draft_(path + ".open"),
        file_(open(draft_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}
  ~Draft() {
    if (file_ < 0) return;
    close(file_);
    if (!is_finished_) unlink(draft_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  Result<void> write(std::string_view text) { return write(as_bytes(text)); }
  Result<void> write(Bytes bytes) {
    if (file_ < 0) return fail(last_error("open", draft_));
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(last_error("write", draft_));
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
  }
  Result<void> finish() {
    if (fsync(file_) != 0) return fail(last_error("fsync", draft_));
    if (std::rename(draft_.c_str(), path_.c_str()) != 0) return fail(last_error("rename", path_));
    is_finished_ = true;
    return {};
  }

 private:
  const std::string path_;
  const std::string draft_;
  const int file_;
  bool is_finished_ = false;
};

// The records of one archive, as lines of an index.
class Indexer {
 public:
  explicit Indexer(std::string name) : name_(std::move(name)) {}

  void feed(Bytes input) {
    using Kind = warc::ArchiveReader::Step::Kind;
    while (!has_ended_) {
      const auto step = reader_.next(input);
      input = input.subspan(step.consumed);
      switch (step.kind) {
        case Kind::need_input: return;
        case Kind::record:
          verifier_.reset();
          if (is_indexed(reader_.head())) verifier_.emplace(reader_.head());
          break;
        case Kind::block:
          if (verifier_) verifier_->feed(step.block);
          break;
        case Kind::record_end: end_record(); break;
        case Kind::fault:
        case Kind::end: has_ended_ = true;
      }
    }
  }
  std::vector<warc::CdxjEntry> finish() {
    reader_.finish();
    feed({});
    return std::move(entries_);
  }

 private:
  void end_record() {
    if (!verifier_ || !reader_.extent().can_be_cut_out()) return;
    verifier_->finish(reader_.extent().is_whole);
    entries_.push_back(index_entry(reader_.head(), reader_.extent(), *verifier_, name_));
  }

  std::string name_;
  warc::ArchiveReader reader_;
  std::optional<warc::Verifier> verifier_;
  std::vector<warc::CdxjEntry> entries_;
  bool has_ended_ = false;
};

std::string file_name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Result<void> add_content(Draft& draft, warc::WaczWriter& writer, std::string_view name,
                         std::string_view content) {
  auto begun = draft.write(writer.begin(name, warc::facts_of_content(as_bytes(content))));
  if (!begun) return begun;
  return draft.write(content);
}

Result<void> add_archive(Draft& draft, warc::WaczWriter& writer, const std::string& path) {
  warc::ContentMeter meter;
  auto metered = read_file(path, [&meter](Bytes piece) -> Result<void> {
    meter.update(piece);
    return {};
  });
  if (!metered) return metered;
  const warc::ContentFacts facts = meter.facts();
  if (auto begun = draft.write(writer.begin("archive/" + file_name_of(path), facts)); !begun) {
    return begun;
  }
  std::uint64_t left = facts.bytes;
  auto copied = read_file(path, [&](Bytes piece) -> Result<void> {
    if (piece.size() > left) return fail(Errc::io_failed, path + " has grown");
    left -= piece.size();
    return draft.write(piece);
  });
  if (copied && left > 0) return fail(Errc::io_failed, path + " has shrunk");
  return copied;
}

}  // namespace

Result<std::vector<warc::CdxjEntry>> index_of_file(const std::string& path) {
  Indexer indexer(file_name_of(path));
  auto read = read_file(path, [&indexer](Bytes piece) -> Result<void> {
    indexer.feed(piece);
    return {};
  });
  if (!read) return fail(std::move(read).error());
  return indexer.finish();
}

Result<void> write_whole_file(const std::string& path, std::string_view content) {
  Draft draft(path);
  if (auto written = draft.write(content); !written) return written;
  return draft.finish();
}

Result<void> write_package(const std::string& path, const PackagePlan& plan) {
  Draft draft(path);
  warc::WaczWriter writer(plan.date);
  for (const std::string& archive : plan.archives) {
    if (auto added = add_archive(draft, writer, archive); !added) return added;
  }
  if (auto added = add_content(draft, writer, "indexes/index.cdxj", plan.index); !added) {
    return added;
  }
  if (auto added = add_content(draft, writer, "pages/pages.jsonl", plan.pages); !added) {
    return added;
  }
  if (auto ended = draft.write(writer.finish(plan.about)); !ended) return ended;
  return draft.finish();
}

}  // namespace gossamer::store

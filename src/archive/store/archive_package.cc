#include "store/archive_package.h"

#include <optional>
#include <utility>

#include "warc/archive_reader.h"
#include "warc/verifier.h"

namespace gossamer::store {
namespace {

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

Result<void> add_content(ArchiveFiles::Use& put, warc::WaczWriter& writer, std::string_view name,
                         std::string_view content) {
  const std::string head = writer.begin(name, warc::facts_of_content(as_bytes(content)));
  if (auto begun = put(as_bytes(head)); !begun) return begun;
  return put(as_bytes(content));
}

Result<void> add_archive(ArchiveFiles::Use& put, warc::WaczWriter& writer, ArchiveFiles& files,
                         const std::string& name) {
  warc::ContentMeter meter;
  auto metered = files.read(name, [&meter](Bytes piece) -> Result<void> {
    meter.update(piece);
    return {};
  });
  if (!metered) return metered;
  const warc::ContentFacts facts = meter.facts();
  const std::string head = writer.begin("archive/" + name, facts);
  if (auto begun = put(as_bytes(head)); !begun) return begun;
  std::uint64_t left = facts.bytes;
  auto copied = files.read(name, [&](Bytes piece) -> Result<void> {
    if (piece.size() > left) return fail(Errc::io_failed, name + " has grown");
    left -= piece.size();
    return put(piece);
  });
  if (copied && left > 0) return fail(Errc::io_failed, name + " has shrunk");
  return copied;
}

}  // namespace

Result<std::vector<warc::CdxjEntry>> index_of_file(ArchiveFiles& files, const std::string& name) {
  Indexer indexer(name);
  auto read = files.read(name, [&indexer](Bytes piece) -> Result<void> {
    indexer.feed(piece);
    return {};
  });
  if (!read) return fail(std::move(read).error());
  return indexer.finish();
}

Result<void> write_package(ArchiveFiles& files, const std::string& name, const PackagePlan& plan) {
  return files.write_whole(name, [&files, &plan](ArchiveFiles::Use& put) -> Result<void> {
    warc::WaczWriter writer(plan.date);
    for (const std::string& archive : plan.archives) {
      if (auto added = add_archive(put, writer, files, archive); !added) return added;
    }
    if (auto added = add_content(put, writer, "indexes/index.cdxj", plan.index); !added) {
      return added;
    }
    if (auto added = add_content(put, writer, "pages/pages.jsonl", plan.pages); !added) {
      return added;
    }
    const std::string end = writer.finish(plan.about);
    return put(as_bytes(end));
  });
}

}  // namespace gossamer::store

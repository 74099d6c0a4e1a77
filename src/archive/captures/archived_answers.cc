#include "captures/archived_answers.h"

#include <filesystem>
#include <utility>

#include "base/hash.h"
#include "store/archive_file.h"
#include "store/warc_walk.h"

namespace gossamer::store {
namespace {

// Reads only the first record.
class FirstAnswer final : public RecordVisitor {
 public:
  FirstAnswer(warc::PayloadSink& sink, std::uint64_t bytes_max)
      : sink_(sink), options_({.limits = {.bytes_max = bytes_max}}) {}

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    if (head.type == warc::RecordType::revisit) {
      refers_to_ = head.fields.find("WARC-Refers-To").value_or("");
    } else if (head.type == warc::RecordType::response) {
      reader_.emplace(head, options_, sink_);
      is_cut_ = head.fields.find("WARC-Truncated").has_value();
    }
    is_over_ = !reader_;
  }
  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
  }
  void end_record(const warc::RecordHead&, const warc::Extent& extent) override {
    is_whole_ = reader_->finish() == wire::DecodeEnd::complete && extent.is_whole && !is_cut_;
    is_over_ = true;
  }
  // A fault inside the record is followed by the record's end.
  void fault(const warc::Fault&) override { is_over_ = !reader_; }
  bool is_satisfied() const override { return is_over_; }

  bool is_answer() const { return reader_.has_value(); }
  bool is_whole() const { return is_whole_; }
  const std::string& refers_to() const { return refers_to_; }

 private:
  warc::PayloadSink& sink_;
  const warc::PayloadOptions options_;
  std::optional<warc::PayloadReader> reader_;
  std::string refers_to_;
  bool is_cut_ = false;
  bool is_whole_ = false;
  bool is_over_ = false;
};

}  // namespace

class ArchivedAnswers::IndexVisitor final : public RecordVisitor {
 public:
  explicit IndexVisitor(Index& index) : index_(index) {}

  void begin_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    if (head.type != warc::RecordType::response) return;
    index_.places.try_emplace(
        base::hash64(head.record_id()),
        Index::Place{.file = static_cast<std::uint32_t>(index_.files.size() - 1),
                     .offset = extent.member_offset});
  }

 private:
  Index& index_;
};

Result<void> ArchivedAnswers::make_index() {
  if (index_) return {};
  Index index;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failure)) {
    std::string name = entry.path().filename();
    if (!name.contains(".warc")) continue;
    index.files.push_back(std::move(name));
    IndexVisitor visitor(index);
    if (auto shown = walk_in(folder_, index.files.back(), 0, visitor); !shown) return shown;
  }
  if (failure) return fail(Error::from_errno(failure.value(), "cannot list " + folder_));
  index_ = std::move(index);
  return {};
}

Result<bool> ArchivedAnswers::read(const crawler::ArchivePlace& place, warc::PayloadSink& sink,
                                   std::uint64_t bytes_max) {
  if (place.file.contains('/')) return fail(Errc::malformed, place.file);
  FirstAnswer answer(sink, bytes_max);
  if (auto shown = walk_in(folder_, place.file, place.offset, answer); !shown) {
    return fail(std::move(shown).error());
  }
  if (answer.is_answer()) return answer.is_whole();
  if (answer.refers_to().empty())
    return fail(Errc::malformed, "there is no response at this place in " + place.file);
  if (auto made = make_index(); !made) return fail(std::move(made).error());
  const auto original = index_->places.find(base::hash64(answer.refers_to()));
  if (original == index_->places.end()) {
    return fail(Errc::not_found, "cannot find record " + answer.refers_to());
  }
  FirstAnswer same(sink, bytes_max);
  const std::string& name = index_->files[original->second.file];
  if (auto shown = walk_in(folder_, name, original->second.offset, same); !shown) {
    return fail(std::move(shown).error());
  }
  return same.is_answer() && same.is_whole();
}

}  // namespace gossamer::store

#include "captures/archived_answers.h"

#include <filesystem>
#include <utility>

#include "base/hash.h"
#include "store/archive_file.h"

namespace gossamer::captures {

class ArchivedAnswers::IndexVisitor final : public store::RecordVisitor {
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
    if (auto shown = store::walk_in(folder_, index.files.back(), 0, visitor); !shown) return shown;
  }
  if (failure) return fail(Error::from_errno(failure.value(), "cannot list " + folder_));
  index_ = std::move(index);
  return {};
}

RecordWalk ArchivedAnswers::record_at(std::string file, std::uint64_t offset) const {
  return {.walk = [this, file = std::move(file), offset](store::RecordVisitor& visitor) {
    return store::walk_in(folder_, file, offset, visitor);
  }};
}

Result<RecordWalk> ArchivedAnswers::find_original(const warc::Answer& revisit) {
  if (auto made = make_index(); !made) return fail(std::move(made).error());
  const std::string& id = revisit.original->record_id;
  const auto found = index_->places.find(base::hash64(id));
  if (found == index_->places.end()) return fail(Errc::not_found, "cannot find record " + id);
  return record_at(index_->files[found->second.file], found->second.offset);
}

Result<warc::Answer> ArchivedAnswers::read(const crawler::ArchivePlace& place,
                                           warc::PayloadSink& sink, std::uint64_t bytes_max) {
  if (place.file.contains('/')) return fail(Errc::malformed, place.file);
  auto answer = read_answer(record_at(place.file, place.offset),
                            [this](const warc::Answer& revisit) { return find_original(revisit); },
                            sink, {.bytes_max = bytes_max});
  if (!answer) return fail(std::move(answer).error().with_context("in " + place.file));
  return answer;
}

}  // namespace gossamer::captures

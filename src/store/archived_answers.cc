#include "store/archived_answers.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/hash.h"
#include "store/warc_walk.h"

namespace gossamer::store {
namespace {

// Reads only the first record.
class FirstAnswer final : public RecordVisitor {
 public:
  explicit FirstAnswer(warc::PayloadSink& sink) : sink_(sink) {}

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    if (head.type == warc::RecordType::revisit) {
      refers_to_ = head.fields.find("WARC-Refers-To").value_or("");
    } else if (head.type == warc::RecordType::response) {
      reader_.emplace(head, warc::PayloadOptions(), sink_);
    }
    is_over_ = !reader_;
  }
  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
  }
  void end_record(const warc::RecordHead&, const warc::Extent& extent) override {
    is_whole_ = reader_->finish() == wire::DecodeEnd::complete && extent.is_whole;
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
  std::optional<warc::PayloadReader> reader_;
  std::string refers_to_;
  bool is_whole_ = false;
  bool is_over_ = false;
};

// Reads a file from any offset.
class ArchiveFile {
 public:
  ~ArchiveFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  Result<void> open(const std::string& path, std::uint64_t offset) {
    offset_ = offset;
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    // The file may be unfinished.
    if (descriptor_ < 0) descriptor_ = ::open((path + ".open").c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) return fail(Error::from_errno(errno, "cannot open " + path));
    return {};
  }

  // Returns the next piece; empty at the end. BORROWS: until the next call.
  Result<Bytes> read() {
    ssize_t size = 0;
    do {
      size = pread(descriptor_, buffer_.data(), buffer_.size(), static_cast<off_t>(offset_));
    } while (size < 0 && errno == EINTR);
    if (size < 0) return fail(Error::from_errno(errno, "cannot read the archive"));
    offset_ += static_cast<std::uint64_t>(size);
    return as_bytes(buffer_).first(static_cast<std::size_t>(size));
  }

 private:
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;
  std::string buffer_ = std::string(64 * 1024, '\0');
};

Result<void> show(const std::string& path, std::uint64_t offset, RecordVisitor& visitor) {
  ArchiveFile file;
  if (auto opened = file.open(path, offset); !opened) return opened;
  auto shown = walk_records([&file] { return file.read(); }, visitor);
  if (!shown) return fail(std::move(shown).error(), path);
  return {};
}

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
    if (auto shown = show(folder_ + "/" + index.files.back(), 0, visitor); !shown) return shown;
  }
  if (failure) return fail(Error::from_errno(failure.value(), "cannot list " + folder_));
  index_ = std::move(index);
  return {};
}

Result<bool> ArchivedAnswers::read(const crawler::ArchivePlace& place, warc::PayloadSink& sink) {
  if (place.file.contains('/')) return fail(Errc::malformed, place.file);
  FirstAnswer answer(sink);
  if (auto shown = show(folder_ + "/" + place.file, place.offset, answer); !shown) {
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
  FirstAnswer same(sink);
  const std::string path = folder_ + "/" + index_->files[original->second.file];
  if (auto shown = show(path, original->second.offset, same); !shown) {
    return fail(std::move(shown).error());
  }
  return same.is_answer() && same.is_whole();
}

}  // namespace gossamer::store

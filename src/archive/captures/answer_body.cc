#include "captures/answer_body.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "base/hash.h"
#include "store/unnamed_file.h"

namespace gossamer::captures {
namespace {

// /tmp is in memory on some machines.
std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  if (folder != nullptr && *folder == '/') return folder;
  return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

}  // namespace

struct AnswerBody::Mapping {
  explicit Mapping(int opened) : file(opened) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (start != nullptr) munmap(start, size);
    close(file);
  }

  const int file;
  std::size_t size = 0;
  void* start = nullptr;
};

Result<void> AnswerBody::append(std::string_view piece) {
  if (!mapping_ && memory_.size() + piece.size() <= kBytesInMemory) {
    memory_.append(piece);
    return {};
  }
  if (!mapping_) {
    auto file = store::open_unnamed_file(temporary_folder());
    if (!file) return fail(std::move(file).error());
    mapping_ = std::make_shared<Mapping>(*file);
    const std::string begun = std::exchange(memory_, {});
    if (auto written = write(begun); !written) return written;
  }
  return write(piece);
}

Result<void> AnswerBody::write(std::string_view piece) {
  hash_ = base::hash64(piece, hash_);
  while (!piece.empty()) {
    const ssize_t count = ::write(mapping_->file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return fail(store::file_failure(count == 0 ? ENOSPC : errno, "cannot write a large body"));
    }
    piece.remove_prefix(static_cast<std::size_t>(count));
    mapping_->size += static_cast<std::size_t>(count);
  }
  return {};
}

Result<void> AnswerBody::finish() {
  if (!mapping_) return {};
  void* const start = mmap(nullptr, mapping_->size, PROT_READ, MAP_SHARED, mapping_->file, 0);
  if (start == MAP_FAILED) return fail(store::file_failure(errno, "cannot read a large body"));
  mapping_->start = start;
  return {};
}

std::string_view AnswerBody::text() const noexcept {
  if (!mapping_) return memory_;
  return {static_cast<const char*>(mapping_->start), mapping_->size};
}

}  // namespace gossamer::captures

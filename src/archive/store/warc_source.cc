#include "store/warc_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "store/archive_file.h"
#include "warc/wacz.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;
// A package from standard input must be in memory completely: its directory is at its end.
constexpr std::size_t kSlurpedBytesMax = std::size_t{1} << 30;
constexpr std::string_view kZipMagic = "PK\x03\x04";

}  // namespace

struct WarcSource::File {
  int descriptor = -1;
  void* mapped = nullptr;
  std::size_t mapped_bytes = 0;

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (mapped != nullptr) munmap(mapped, mapped_bytes);
    if (descriptor > STDERR_FILENO) close(descriptor);
  }
};

WarcSource::WarcSource() : file_(std::make_unique<File>()), buffer_(kPieceBytes, '\0') {}
WarcSource::~WarcSource() = default;

Result<std::unique_ptr<WarcSource>> WarcSource::open(const std::string& path) {
  std::unique_ptr<WarcSource> source(new WarcSource());
  source->path_ = path;
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail(Error::from_errno(errno, "cannot open the file"));
  if (auto begun = source->begin(descriptor); !begun) return fail(std::move(begun).error());
  return source;
}

Result<std::unique_ptr<WarcSource>> WarcSource::open_found(const std::string& path) {
  auto file = open_in_folder(path);
  if (!file) return fail(std::move(file).error(), "cannot open the file");
  std::unique_ptr<WarcSource> source(new WarcSource());
  source->path_ = path;
  if (auto begun = source->begin(file->release()); !begun) return fail(std::move(begun).error());
  return source;
}

Result<void> WarcSource::begin(int descriptor) {
  file_->descriptor = descriptor;
  const auto first = read_file();
  if (!first) return fail(first.error().copy());
  pending_ = *first;
  return as_text(*first).starts_with(kZipMagic) ? open_package() : Result<void>();
}

Result<Bytes> WarcSource::read_file() {
  while (true) {
    const ssize_t size = ::read(file_->descriptor, buffer_.data(), buffer_.size());
    if (size >= 0)
      return as_bytes(std::string_view(buffer_).substr(0, static_cast<std::size_t>(size)));
    if (errno != EINTR) return fail(Error::from_errno(errno, "cannot read the file"));
  }
}

Result<void> WarcSource::open_package() {
  Bytes whole;
  struct stat status = {};
  if (fstat(file_->descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_->descriptor, 0);
    if (mapped == MAP_FAILED) return fail(Error::from_errno(errno, "cannot map the file"));
    file_->mapped = mapped;
    file_->mapped_bytes = size;
    whole = Bytes(static_cast<const std::byte*>(mapped), size);
  } else {
    while (!pending_.empty()) {
      slurped_ += as_text(pending_);
      if (slurped_.size() > kSlurpedBytesMax) {
        return fail(Errc::over_limit,
                    "a package of more than 1 GiB cannot be read from standard input; use a file");
      }
      const auto piece = read_file();
      if (!piece) return fail(piece.error().copy());
      pending_ = *piece;
    }
    whole = as_bytes(slurped_);
  }
  auto zip = warc::ZipArchive::open(whole);
  if (!zip) return fail(std::move(zip).error());
  zip_ = std::move(*zip);
  archives_ = warc::archives_of(*zip_);
  return {};
}

Result<bool> WarcSource::next_archive() {
  if (!zip_) {
    name_ = path_;
    return !std::exchange(has_begun_, true);
  }
  if (archive_ == archives_.size()) return false;
  const warc::ZipEntry& entry = *archives_[archive_++];
  name_ = path_ + "/" + entry.name;
  auto member = warc::ZipMemberReader::open(*zip_, entry);
  if (!member) return fail(std::move(member).error());
  member_ = std::move(*member);
  pending_ = {};
  return true;
}

Result<void> WarcSource::check_names() const {
  return zip_ ? warc::check_member_names(*zip_) : Result<void>();
}

std::string WarcSource::file_name() const { return name_.substr(name_.rfind('/') + 1); }

Result<Bytes> WarcSource::read() {
  if (!pending_.empty()) return std::exchange(pending_, {});
  return zip_ ? member_->next() : read_file();
}

Result<void> WarcSource::skip(std::uint64_t bytes) {
  while (bytes > 0) {
    auto piece = read();
    if (!piece) return fail(std::move(piece).error());
    if (piece->empty()) return fail(Errc::invalid_argument, "the file is shorter than this offset");
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece->size(), bytes));
    bytes -= size;
    pending_ = piece->subspan(size);
  }
  return {};
}

}  // namespace gossamer::store

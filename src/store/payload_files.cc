#include "store/payload_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gossamer::store {

FileHandle::FileHandle(FileHandle&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::unique_ptr<PayloadFiles>> PayloadFiles::open(const std::string& folder, Options options,
                                                         Events events) {
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    return fail(Error::from_errno(errno, "cannot create the folder"));
  }
  FileHandle root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.is_open()) return fail(Error::from_errno(errno, "cannot open the folder"));
  return std::unique_ptr<PayloadFiles>(
      new PayloadFiles(std::move(root), options, std::move(events)));
}

PayloadFiles::PayloadFiles(FileHandle root, Options options, Events events)
    : root_(std::move(root)), options_(options), events_(std::move(events)) {}

Result<FileHandle> PayloadFiles::create(const PayloadNames::Name& name) const {
  if (::mkdirat(root_.get(), name.folder.c_str(), 0777) != 0 && errno != EEXIST) {
    return fail(Error::from_errno(errno, "cannot create folder " + name.folder));
  }
  const FileHandle folder(
      ::openat(root_.get(), name.folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open()) return fail(Error::from_errno(errno, "cannot open " + name.folder));
  FileHandle file(::openat(folder.get(), name.file.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.is_open()) return fail(Error::from_errno(errno, "cannot create " + name.file));
  return file;
}

// The name depends on the HTTP head, so the file is created with the first piece of the payload.
void PayloadFiles::begin_record(const warc::RecordHead& head, const warc::Extent&) {
  const bool has_payload =
      (head.type == warc::RecordType::response || head.type == warc::RecordType::resource ||
       head.type == warc::RecordType::conversion) &&
      !head.target_uri().empty();
  reader_.reset();
  if (!has_payload) return;
  head_ = &head;
  warc::PayloadSink& sink = *this;
  reader_.emplace(head, warc::PayloadOptions{.decode_content = !options_.is_raw}, sink);
}

void PayloadFiles::block(Bytes piece) {
  if (reader_) reader_->feed(piece);
}

void PayloadFiles::end_record(const warc::RecordHead& head, const warc::Extent& extent) {
  if (!reader_) return;
  const bool is_decoded = reader_->finish() == wire::DecodeEnd::complete;
  if (file_.is_open()) {
    const std::string name = name_.folder + "/" + name_.file;
    is_satisfied_ = !events_.on_file(name, head.target_uri());
    if (!is_decoded || !extent.is_whole) {
      events_.on_fault(Fault::damaged, archive_, name + " is incomplete");
    }
  }
  file_ = FileHandle();
  reader_.reset();
  has_failed_ = false;
}

void PayloadFiles::fault(const warc::Fault& fault) {
  events_.on_fault(fault.is_warning ? Fault::warning : Fault::damaged, archive_,
                   fmt::format("offset {}: {}", fault.offset, fault.text));
}

void PayloadFiles::put(Bytes piece) {
  if (!file_.is_open() && !has_failed_) create_file();
  while (!piece.empty() && !has_failed_) {
    const ssize_t size = ::write(file_.get(), piece.data(), piece.size());
    if (size > 0) piece = piece.subspan(static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR)
      fail_with(Error::from_errno(errno, "cannot write " + name_.file));
  }
}

void PayloadFiles::create_file() {
  const std::string_view mime =
      reader_->http() ? reader_->http()->content_type() : head_->content_type();
  // Files of an earlier run may have the same names, so this tries others.
  while (true) {
    name_ = names_.name_for(head_->target_uri(), mime);
    auto file = create(name_);
    if (file) {
      file_ = std::move(*file);
      return;
    }
    if (file.error() != Errc::exists) return fail_with(file.error());
  }
}

void PayloadFiles::fail_with(const Error& error) {
  has_failed_ = true;
  events_.on_fault(Fault::unwritable, archive_, error.message());
}

}  // namespace gossamer::store

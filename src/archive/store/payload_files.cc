#include "store/payload_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <utility>

#include "warc/rendered_page.h"

namespace gossamer::store {
namespace {

// The files are on a disk, so their size needs no bound. Bombs end by their ratio.
constexpr std::uint64_t kDecodedBytesMax = std::numeric_limits<std::uint64_t>::max() / 2;

}  // namespace

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
      open_beneath(root_.get(), name.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return fail(Error::from_errno(errno, "cannot open " + name.folder));
  FileHandle file(open_beneath(folder.get(), name.file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC));
  if (!file.is_open()) return fail(Error::from_errno(errno, "cannot create " + name.file));
  return file;
}

void PayloadFiles::remove(const PayloadNames::Name& name) const {
  const FileHandle folder(
      ::openat(root_.get(), name.folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.is_open()) ::unlinkat(folder.get(), name.file.c_str(), 0);
}

// The name depends on the HTTP head, so the file is created with the first piece of the payload.
void PayloadFiles::begin_record(const warc::RecordHead& head, const warc::Extent&) {
  const bool has_payload =
      (head.type == warc::RecordType::response || head.type == warc::RecordType::resource ||
       head.type == warc::RecordType::conversion) &&
      !head.target_uri().empty() && !warc::is_rendered_page(head);  // it was not received
  reader_.reset();
  if (!has_payload) return;
  // A part of a payload would look like all of it.
  if (const auto why = head.fields.find("WARC-Truncated")) {
    return events_.on_fault(Fault::damaged, archive_,
                            fmt::format("{} is incomplete (WARC-Truncated: {}), so it has no file",
                                        head.target_uri(), *why));
  }
  head_ = &head;
  warc::PayloadSink& sink = *this;
  const warc::PayloadOptions payload = {.decode_content = !options_.is_raw,
                                        .limits = {.bytes_max = kDecodedBytesMax}};
  reader_.emplace(head, payload, sink);
}

void PayloadFiles::block(Bytes piece) {
  if (reader_) reader_->feed(piece);
}

void PayloadFiles::end_record(const warc::RecordHead& head, const warc::Extent& extent) {
  if (!reader_) return;
  const bool is_whole = reader_->finish(extent.is_whole).is_whole;
  if (is_whole && file_.is_open()) {
    is_satisfied_ = !events_.on_file(name_.folder + "/" + name_.file, head.target_uri());
  }
  // If the payload is damaged from its first byte, there is no file yet.
  if (!is_whole && (file_.is_open() || (extent.is_whole && !has_failed_))) {
    if (file_.is_open()) remove(name_);
    events_.on_fault(Fault::damaged, archive_,
                     fmt::format("{} is incomplete, so it has no file", head.target_uri()));
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

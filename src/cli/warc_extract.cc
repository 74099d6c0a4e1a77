#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "store/warc_names.h"
#include "terminal/standard_output.h"
#include "warc/payload_reader.h"

namespace gossamer::cli {
namespace {

// A descriptor that closes itself.
class Handle {
 public:
  explicit Handle(int descriptor = -1) : descriptor_(descriptor) {}
  Handle(Handle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Handle() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// Files in folders of one folder. Nothing that is there is followed, if it is a link, or
// overwritten.
class OutputFolder {
 public:
  Result<void> open(const std::string& path) {
    if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
      return fail(Error::from_errno(errno, "mkdir"));
    }
    root_ = Handle(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!root_.is_open()) return fail(Error::from_errno(errno, "open"));
    return {};
  }

  // Fails with Errc::exists if there is such a file.
  Result<Handle> create(const store::PayloadNames::Name& name) const {
    if (mkdirat(root_.get(), name.folder.c_str(), 0777) != 0 && errno != EEXIST) {
      return fail(Error::from_errno(errno, "mkdir " + name.folder));
    }
    const Handle folder(
        openat(root_.get(), name.folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.is_open()) return fail(Error::from_errno(errno, "open " + name.folder));
    Handle file(openat(folder.get(), name.file.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!file.is_open()) return fail(Error::from_errno(errno, "create " + name.file));
    return file;
  }

 private:
  Handle root_;
};

class Extraction final : public store::RecordVisitor, private warc::PayloadSink {
 public:
  Extraction(const OutputFolder& folder, bool is_raw) : folder_(folder), is_raw_(is_raw) {}

  void begin_archive(const store::WarcSource& source) override { archive_ = source.name(); }

  // The name needs the HTTP head, so that the file is made with the first piece of the payload.
  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    const bool has_payload =
        (head.type == warc::RecordType::response || head.type == warc::RecordType::resource ||
         head.type == warc::RecordType::conversion) &&
        !head.target_uri().empty();
    reader_.reset();
    if (!has_payload) return;
    head_ = &head;
    warc::PayloadSink& sink = *this;
    reader_.emplace(head, warc::PayloadOptions{.decode_content = !is_raw_}, sink);
  }

  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
  }

  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    if (!reader_) return;
    const bool is_decoded = reader_->finish() == wire::DecodeEnd::complete;
    if (file_.is_open()) {
      terminal::print_out("{}/{}\t{}\n", name_.folder, name_.file,
                          base::escape_for_terminal(head.target_uri()));
    }
    if (file_.is_open() && !(is_decoded && extent.is_whole)) {
      complain(archive_, fmt::format("{}/{} is not all of it", name_.folder, name_.file));
      exit_code_ = worse(exit_code_, kFailed);
    }
    file_ = Handle();
    reader_.reset();
    has_failed_ = false;
  }

  void fault(const warc::Fault& fault) override {
    complain(archive_, fmt::format("offset {}: {}", fault.offset, fault.text));
    if (!fault.is_warning) exit_code_ = worse(exit_code_, kFailed);
  }

  // Without the list nobody knows which file is which page.
  bool is_satisfied() const override { return terminal::standard_output().failure().has_value(); }
  int exit_code() const { return exit_code_; }

 private:
  void put(Bytes piece) override {
    if (!file_.is_open() && !has_failed_) create();
    while (!piece.empty() && !has_failed_) {
      const ssize_t size = write(file_.get(), piece.data(), piece.size());
      if (size > 0) piece = piece.subspan(static_cast<std::size_t>(size));
      if (size < 0 && errno != EINTR) fail_with(Error::from_errno(errno, "write " + name_.file));
    }
  }

  void create() {
    const std::string_view mime =
        reader_->http() ? reader_->http()->content_type() : head_->content_type();
    // Files of an earlier run have the same names; each of ours gets one of its own.
    while (true) {
      name_ = names_.name_for(head_->target_uri(), mime);
      auto file = folder_.create(name_);
      if (file) {
        file_ = std::move(*file);
        return;
      }
      if (file.error() != Errc::exists) return fail_with(std::move(file).error());
    }
  }

  void fail_with(Error error) {
    complain(archive_, error.to_string());
    has_failed_ = true;
    exit_code_ = worse(exit_code_, kFileFailed);
  }

  const OutputFolder& folder_;
  const bool is_raw_;
  std::string archive_;
  store::PayloadNames names_;
  store::PayloadNames::Name name_;
  Handle file_;
  const warc::RecordHead* head_ = nullptr;
  std::optional<warc::PayloadReader> reader_;
  bool has_failed_ = false;
  int exit_code_ = kOk;
};

struct WarcExtractSettings {
  std::vector<std::string> files;
  std::string output;
  bool is_raw = false;
};

void declare_warc_extract(options::Table& table, WarcExtractSettings& settings) {
  table.summary(
      "Write the payloads of responses and resources to files, and print which is which.");
  table.words(options::files(settings.files), "WARC, ARC or WACZ; - is standard input");
  table.option("-o,--output", options::folder(settings.output),
               "where to; made if it is not there");
  table.flag("--raw", settings.is_raw, "content codings as they came");
}

int run_warc_extract(WarcExtractSettings& settings) {
  if (settings.output.empty()) return usage_error("warc extract", "say where to: -o DIR");
  OutputFolder folder;
  if (const auto opened = folder.open(settings.output); !opened) {
    complain(settings.output, opened.error().to_string());
    return kFileFailed;
  }
  Extraction extraction(folder, settings.is_raw);
  return worse(walk_all(settings.files, extraction), extraction.exit_code());
}

}  // namespace

constinit const Command warc_extract_command = command_of<declare_warc_extract, run_warc_extract>(
    "warc extract", "FILE... -o DIR", "write the payloads to files");

}  // namespace gossamer::cli

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "terminal/standard_output.h"
#include "warc/cdxj.h"

namespace gossamer::cli {
namespace {

class ArchiveIndex final : public store::RecordVisitor {
 public:
  void begin_archive(const store::WarcSource& source) override {
    file_ = source.name();
    file_name_ = source.file_name();
  }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    verifier_.reset();
    if (is_indexed(head)) verifier_.emplace(head);
  }

  void block(Bytes piece) override {
    if (verifier_) verifier_->feed(piece);
  }

  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    if (!verifier_) return;
    verifier_->finish(extent.is_whole);
    if (!extent.can_be_cut_out()) {
      complain(file_, fmt::format("offset {}: a record that has no compressed member of its own "
                                  "cannot be indexed",
                                  extent.member_offset));
      has_damage_ = true;
      return;
    }
    lines_.push_back(index_entry(head, extent, *verifier_, file_name_).to_line());
  }

  void fault(const warc::Fault& fault) override {
    complain(file_, fmt::format("offset {}: {}", fault.offset, fault.text));
    has_damage_ |= !fault.is_warning;
  }

  std::string take_lines() { return warc::sorted_lines(std::move(lines_)); }
  int exit_code() const { return has_damage_ ? kFailed : kOk; }

 private:
  std::string file_;
  std::string file_name_;
  std::optional<warc::Verifier> verifier_;
  std::vector<std::string> lines_;
  bool has_damage_ = false;
};

// True if all of it is in the file.
bool write_file(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    terminal::standard_output().write(text);
    return true;  // main() tells a failure
  }
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool is_closed = std::fclose(file) == 0;
  return is_written && is_closed;
}

struct WarcIndexSettings {
  std::vector<std::string> files;
  std::string output;
};

void declare_warc_index(options::Table& table, WarcIndexSettings& settings) {
  table.summary("Write the sorted CDXJ index of archives.");
  table.words(options::files(settings.files), "WARC, ARC or WACZ; - is standard input");
  table.option("-o,--output", options::file(settings.output), "write it there").unset = "stdout";
}

int run_warc_index(WarcIndexSettings& settings) {
  ArchiveIndex index;
  const int walked = walk_all(settings.files, index);
  if (!write_file(settings.output, index.take_lines())) {
    complain(settings.output, std::strerror(errno));
    return kFileFailed;
  }
  return worse(walked, index.exit_code());
}

}  // namespace

constinit const Command warc_index_command = command_of<declare_warc_index, run_warc_index>(
    "warc index", "FILE... [-o FILE]", "write a sorted CDXJ index");

}  // namespace gossamer::cli

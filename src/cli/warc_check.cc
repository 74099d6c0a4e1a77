#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "terminal/standard_output.h"
#include "warc/verifier.h"
#include "warc/wacz.h"

namespace gossamer::cli {
namespace {

class ArchiveCheck final : public store::RecordVisitor {
 public:
  void begin_file(const store::WarcSource& source) override {
    if (source.package() == nullptr) return;
    file_ = source.path();
    for (const std::string& problem : warc::check_wacz(*source.package())) report(problem);
  }

  bool reports_names() const override { return true; }

  void begin_archive(const store::WarcSource& source) override {
    end_archive();
    has_archive_ = true;
    records_before_ = records_;
    file_ = source.name();
    has_shared_members_ = false;
    ++archives_;
  }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    verifier_.emplace(head);
  }

  void block(Bytes piece) override { verifier_->feed(piece); }

  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    verifier_->finish(extent.is_whole);
    ++records_;
    digests_ += verifier_->is_declared() ? 1 : 0;
    judge("block", verifier_->block(), extent);
    judge("payload", verifier_->payload(), extent);
    if (head.type == warc::RecordType::arc_header || !extent.is_whole) return;
    if (!head.date()) report(extent.member_offset, "a record without a date");
    if (head.format == warc::RecordFormat::warc && head.record_id().empty()) {
      report(extent.member_offset, "a record without an id");
    }
    // Many readers stop there. Where it is so once, it is so everywhere.
    if (!extent.can_be_cut_out() && !std::exchange(has_shared_members_, true)) {
      report(extent.member_offset, "records without a compressed member of their own");
    }
  }

  void fault(const warc::Fault& fault) override { report(fault.offset, fault.text); }

  // To be called after the last archive.
  void end_archive() {
    if (std::exchange(has_archive_, false) && records_ == records_before_)
      report("it has no record");
  }

  void print_summary() const {
    terminal::print_out("archives: {}, records: {}, with digests: {}, problems: {}\n", archives_,
                        records_, digests_, problems_);
  }

  int exit_code() const { return problems_ > 0 ? kFailed : kOk; }

 private:
  void judge(std::string_view what, warc::DigestVerdict verdict, const warc::Extent& extent) {
    if (verdict == warc::DigestVerdict::wrong) {
      report(extent.member_offset, fmt::format("the {} has another digest", what));
    } else if (verdict == warc::DigestVerdict::unreadable) {
      report(extent.member_offset, fmt::format("the digest of the {} cannot be read", what));
    }
  }

  void report(std::uint64_t offset, std::string_view problem) {
    report(fmt::format("offset {}: {}", offset, problem));
  }

  void report(std::string_view problem) {
    ++problems_;
    complain(file_, problem);
  }

  std::string file_;
  std::optional<warc::Verifier> verifier_;
  bool has_shared_members_ = false;
  bool has_archive_ = false;  // one was begun
  std::uint64_t records_before_ = 0;
  std::uint64_t archives_ = 0;
  std::uint64_t records_ = 0;
  std::uint64_t digests_ = 0;
  std::uint64_t problems_ = 0;
};

struct WarcCheckSettings {
  std::vector<std::string> files;
  bool is_quiet = false;
};

void declare_warc_check(options::Table& table, WarcCheckSettings& settings) {
  table.summary(
      "Verify the structure of archives and every digest in them. The exit code is 1 if something\n"
      "is wrong.");
  table.words(options::files(settings.files), "WARC, ARC or WACZ; - is standard input");
  table.flag("-q,--quiet", settings.is_quiet, "no summary");
}

int run_warc_check(WarcCheckSettings& settings) {
  ArchiveCheck check;
  const int walked = walk_all(settings.files, check);
  check.end_archive();
  if (!settings.is_quiet) check.print_summary();
  return worse(walked, check.exit_code());
}

}  // namespace

constinit const Command warc_check_command = command_of<declare_warc_check, run_warc_check>(
    "warc check", "FILE...", "verify structure and digests");

}  // namespace gossamer::cli

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/warc_walk.h"
#include "warc/verifier.h"

namespace gossamer::store {

// Receives the place and the description of a problem in an archive.
using OnProblem = std::move_only_function<void(std::string_view file, std::string_view problem)>;

// Verifies the structure of archives and every digest in them.
class ArchiveCheck final : public RecordVisitor {
 public:
  struct Counts {
    std::uint64_t archives = 0;
    std::uint64_t records = 0;
    std::uint64_t digests = 0;  // records that have one
    std::uint64_t problems = 0;
  };

  explicit ArchiveCheck(OnProblem on_problem) : on_problem_(std::move(on_problem)) {}

  void begin_file(const WarcSource& source) override;
  bool reports_names() const override { return true; }
  void begin_archive(const WarcSource& source) override;
  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    verifier_.emplace(head);
    block_start_.clear();
  }
  void block(Bytes piece) override;
  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override;
  void fault(const warc::Fault& fault) override { report(fault.offset, fault.text); }

  // Call it after the last archive.
  void end_archive();
  const Counts& counts() const { return counts_; }

 private:
  void judge(std::string_view what, warc::DigestVerdict verdict, const warc::Extent& extent);
  void report(std::uint64_t offset, std::string_view problem);
  void report(std::string_view problem);

  OnProblem on_problem_;
  std::string file_;
  std::optional<warc::Verifier> verifier_;
  std::string block_start_;  // warc::kBlockStartBytes
  bool has_shared_members_ = false;
  bool has_archive_ = false;  // one was started
  std::uint64_t records_before_ = 0;
  Counts counts_;
};

}  // namespace gossamer::store

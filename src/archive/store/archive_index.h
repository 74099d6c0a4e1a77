#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/archive_check.h"
#include "store/warc_walk.h"
#include "warc/cdxj.h"
#include "warc/verifier.h"

namespace gossamer::store {

// Makes the CDXJ index of archives.
class ArchiveIndex final : public RecordVisitor {
 public:
  explicit ArchiveIndex(OnProblem on_problem) : on_problem_(std::move(on_problem)) {}

  void begin_archive(const WarcSource& source) override;
  void begin_record(const warc::RecordHead& head, const warc::Extent&) override;
  void block(Bytes piece) override;
  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override;
  void fault(const warc::Fault& fault) override;

  // Returns the sorted index; call it once.
  std::string take_lines() { return warc::sorted_lines(std::move(lines_)); }
  bool has_damage() const { return has_damage_; }

 private:
  OnProblem on_problem_;
  std::string file_;
  std::string file_name_;
  std::optional<warc::Verifier> verifier_;
  std::vector<std::string> lines_;
  bool has_damage_ = false;
};

}  // namespace gossamer::store

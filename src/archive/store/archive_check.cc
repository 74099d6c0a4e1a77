#include "store/archive_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warc/connection_fields.h"
#include "warc/wacz.h"

namespace gossamer::store {

void ArchiveCheck::begin_file(const WarcSource& source) {
  if (source.package() == nullptr) return;
  file_ = source.path();
  for (const std::string& problem : warc::check_wacz(*source.package())) report(problem);
}

void ArchiveCheck::begin_archive(const WarcSource& source) {
  end_archive();
  has_archive_ = true;
  records_before_ = counts_.records;
  file_ = source.name();
  has_shared_members_ = false;
  ++counts_.archives;
}

void ArchiveCheck::block(Bytes piece) {
  verifier_->feed(piece);
  const std::size_t room = warc::kBlockStartBytes - block_start_.size();
  block_start_ += as_text(piece.first(std::min(room, piece.size())));
}

void ArchiveCheck::end_record(const warc::RecordHead& head, const warc::Extent& extent) {
  verifier_->finish(extent.is_whole);
  ++counts_.records;
  counts_.digests += verifier_->is_declared() ? 1 : 0;
  judge("block", verifier_->block(), extent);
  judge("payload", verifier_->payload(), extent);
  if (head.type == warc::RecordType::arc_header || !extent.is_whole) return;
  if (!head.date()) report(extent.member_offset, "the record has no date");
  if (head.format == warc::RecordFormat::warc && head.record_id().empty()) {
    report(extent.member_offset, "the record has no id");
  }
  const std::string_view problem = warc::connection_problem(head, block_start_);
  if (!problem.empty()) report(extent.member_offset, problem);
  // Many readers stop there. It is reported once, since usually all records are like this.
  if (!extent.can_be_cut_out() && !std::exchange(has_shared_members_, true)) {
    report(extent.member_offset, "records are not compressed one by one");
  }
}

void ArchiveCheck::end_archive() {
  const bool is_empty = counts_.records == records_before_;
  if (std::exchange(has_archive_, false) && is_empty) report("the archive has no records");
}

void ArchiveCheck::judge(std::string_view what, warc::DigestVerdict verdict,
                         const warc::Extent& extent) {
  if (verdict == warc::DigestVerdict::wrong) {
    report(extent.member_offset, fmt::format("the digest of the {} does not match", what));
  } else if (verdict == warc::DigestVerdict::unreadable) {
    report(extent.member_offset, fmt::format("the digest of the {} cannot be read", what));
  }
}

void ArchiveCheck::report(std::uint64_t offset, std::string_view problem) {
  report(fmt::format("offset {}: {}", offset, problem));
}

void ArchiveCheck::report(std::string_view problem) {
  ++counts_.problems;
  on_problem_(file_, problem);
}

}  // namespace gossamer::store

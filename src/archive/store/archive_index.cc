#include "store/archive_index.h"

#include <fmt/format.h>

namespace gossamer::store {

void ArchiveIndex::begin_archive(const WarcSource& source) {
  file_ = source.name();
  file_name_ = source.file_name();
}

void ArchiveIndex::begin_record(const warc::RecordHead& head, const warc::Extent&) {
  verifier_.reset();
  if (warc::is_indexed(head)) verifier_.emplace(head);
}

void ArchiveIndex::block(Bytes piece) {
  if (verifier_) verifier_->feed(piece);
}

void ArchiveIndex::end_record(const warc::RecordHead& head, const warc::Extent& extent) {
  if (!verifier_) return;
  verifier_->finish(extent.is_whole);
  if (!extent.can_be_cut_out()) {
    on_problem_(file_, fmt::format("offset {}: cannot index a record that is not compressed "
                                   "separately",
                                   extent.member_offset));
    has_damage_ = true;
    return;
  }
  lines_.push_back(warc::index_entry(head, extent, *verifier_, file_name_).to_line());
}

void ArchiveIndex::fault(const warc::Fault& fault) {
  on_problem_(file_, fmt::format("offset {}: {}", fault.offset, fault.text));
  has_damage_ |= !fault.is_warning;
}

}  // namespace gossamer::store

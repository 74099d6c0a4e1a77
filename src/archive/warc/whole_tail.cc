#include "warc/whole_tail.h"

#include "warc/record_writer.h"

namespace gossamer::warc {

void WholeTail::feed(Bytes piece) {
  fed_ += piece.size();
  run(piece);
}

std::uint64_t WholeTail::finish() {
  reader_.finish();
  run({});
  return whole_;
}

void WholeTail::run(Bytes input) {
  using Kind = ArchiveReader::Step::Kind;
  while (!is_damaged_) {
    const auto step = reader_.next(input);
    input = input.subspan(step.consumed);
    if (step.kind == Kind::need_input || step.kind == Kind::end) return;
    is_damaged_ = step.kind == Kind::fault;
    if (step.kind != Kind::record_end) continue;
    const Extent& extent = reader_.extent();
    std::uint64_t end = extent.member_offset + extent.member_bytes;
    if (reader_.compression() == Compression::none) end += kRecordEnd.size();
    is_damaged_ = !extent.is_whole || !extent.can_be_cut_out() || end > fed_;
    if (!is_damaged_) whole_ = end;
  }
}

}  // namespace gossamer::warc

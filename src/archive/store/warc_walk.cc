#include "store/warc_walk.h"

#include <utility>

namespace gossamer::store {

Result<void> walk_records(ReadPiece read, RecordVisitor& visitor) {
  using Kind = warc::ArchiveReader::Step::Kind;
  warc::ArchiveReader reader;
  Bytes input;
  while (!visitor.is_satisfied()) {
    const auto step = reader.next(input);
    input = input.subspan(step.consumed);
    switch (step.kind) {
      case Kind::need_input: {
        auto piece = read();
        if (!piece) return fail(std::move(piece).error());
        if (piece->empty()) reader.finish();
        input = *piece;
        break;
      }
      case Kind::record: visitor.begin_record(reader.head(), reader.extent()); break;
      case Kind::block: visitor.block(step.block); break;
      case Kind::record_end: visitor.end_record(reader.head(), reader.extent()); break;
      case Kind::fault: visitor.fault(reader.fault()); break;
      case Kind::end: return {};
    }
  }
  return {};
}

Result<void> walk_archive(WarcSource& source, RecordVisitor& visitor) {
  visitor.begin_archive(source);
  return walk_records([&source] { return source.read(); }, visitor);
}

Result<void> walk(const std::string& path, RecordVisitor& visitor) {
  auto source = WarcSource::open(path);
  if (!source) return fail(std::move(source).error());
  visitor.begin_file(**source);
  if (!visitor.reports_names()) {
    if (auto named = (*source)->check_names(); !named) return named;
  }
  while (!visitor.is_satisfied()) {
    const auto has_archive = (*source)->next_archive();
    if (!has_archive) return fail(has_archive.error().copy());
    if (!*has_archive) break;
    if (auto walked = walk_archive(**source, visitor); !walked) return walked;
  }
  return {};
}

}  // namespace gossamer::store

#include "cli/warc_walk.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "base/escape.h"
#include "cli/command.h"
#include "cli/standard_output.h"

namespace gossamer::cli {

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

int walk_all(const std::vector<std::string>& paths, RecordVisitor& visitor) {
  int exit_code = kOk;
  for (const std::string& path : paths) {
    if (visitor.is_satisfied()) break;
    const auto walked = walk(path, visitor);
    if (walked) continue;
    complain(path, walked.error().to_string());
    exit_code = worse(exit_code, walked.error() == Errc::malformed ? kFailed : kFileFailed);
  }
  return exit_code;
}

void complain(std::string_view file, std::string_view message) {
  print_err("gossamer warc: {}: {}\n", base::escape_for_terminal(file),
            base::escape_for_terminal(message));
}

}  // namespace gossamer::cli

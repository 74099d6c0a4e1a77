#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "store/warc_source.h"
#include "warc/archive_reader.h"

namespace gossamer::store {

// Receives the records of archives one after the other.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  RecordVisitor(const RecordVisitor&) = delete;
  RecordVisitor& operator=(const RecordVisitor&) = delete;

  // Called once per file, before its archives; a package may have none.
  virtual void begin_file(const WarcSource&) {}
  virtual void begin_archive(const WarcSource&) {}
  // The extent already has its offsets.
  virtual void begin_record(const warc::RecordHead&, const warc::Extent&) {}
  virtual void block(Bytes) {}
  virtual void end_record(const warc::RecordHead&, const warc::Extent&) {}
  virtual void fault(const warc::Fault&) {}
  // True for visitors that report bad member names themselves. For others, a package with bad names
  // is an error.
  virtual bool reports_names() const { return false; }
  // True to stop.
  virtual bool is_satisfied() const { return false; }

 protected:
  RecordVisitor() = default;
};

// Walks the records of an archive that `read` returns piece by piece; an empty piece is the end.
// Fails only if `read` does.
using ReadPiece = std::move_only_function<Result<Bytes>()>;
Result<void> walk_records(ReadPiece read, RecordVisitor& visitor);
// Walks the records of the current archive.
Result<void> walk_archive(WarcSource& source, RecordVisitor& visitor);
// Walks the records of all archives of a path.
Result<void> walk(const std::string& path, RecordVisitor& visitor);

}  // namespace gossamer::store

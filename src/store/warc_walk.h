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

// Somebody to whom the records of archives are shown one after the other.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  RecordVisitor(const RecordVisitor&) = delete;
  RecordVisitor& operator=(const RecordVisitor&) = delete;

  // A package is there as a whole, also one without archives.
  virtual void begin_file(const WarcSource&) {}
  virtual void begin_archive(const WarcSource&) {}
  // The extent has its offsets already.
  virtual void begin_record(const warc::RecordHead&, const warc::Extent&) {}
  virtual void block(Bytes) {}
  virtual void end_record(const warc::RecordHead&, const warc::Extent&) {}
  virtual void fault(const warc::Fault&) {}
  // Reports bad names of members itself. To others a package that has some is shown no further.
  virtual bool reports_names() const { return false; }
  // Nothing more is wanted.
  virtual bool is_satisfied() const { return false; }

 protected:
  RecordVisitor() = default;
};

// Shows the records of what `read` gives piece by piece, an empty one at the end. Fails only where
// that does.
using ReadPiece = std::move_only_function<Result<Bytes>()>;
Result<void> walk_records(ReadPiece read, RecordVisitor& visitor);
// Those of the present archive.
Result<void> walk_archive(WarcSource& source, RecordVisitor& visitor);
// Those of all archives that the path stands for.
Result<void> walk(const std::string& path, RecordVisitor& visitor);

}  // namespace gossamer::store

// Reads archives of any origin: WARC 0.17 to 1.1 and ARC 1 and 2; plain, or compressed with gzip or
// zstd, one member per record or one for many.
//
//   ArchiveReader reader;
//   while (true) {
//     const ArchiveReader::Step step = reader.next(input);
//     input = input.subspan(step.consumed);
//     switch (step.kind) {
//       case Kind::need_input: input = ...; break;  // at the end of the file: reader.finish()
//       case Kind::record: use(reader.head()); break;
//       case Kind::block: use(step.block); break;  // zero or more pieces
//       case Kind::record_end: use(reader.extent()); break;
//       case Kind::fault: report(reader.fault()); break;
//       case Kind::end: return;
//     }
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/errc.h"
#include "warc/archive_input.h"
#include "warc/record.h"

namespace gossamer::warc {

struct ArchiveLimits {
  // The lines before a block. A longer header counts as damage.
  std::size_t head_bytes_max = 1024 * 1024;
};

// Where a record is.
//
//   file    | member                      | member ...
//           | member_offset, member_bytes |
//   plain   | head | block | CRLF CRLF | head ...
//           | plain_bytes  |
//           plain_offset
struct Extent {
  // In the decompressed file; line ends after the block are not counted.
  std::uint64_t plain_offset = 0;
  std::uint64_t plain_bytes = 0;
  // The member in which the record begins; in an uncompressed file the same as above.
  std::uint64_t member_offset = 0;
  // 0 if the record cannot be cut out: it shares its member, extends into another, or is damaged.
  // If the file ends inside the member, this reaches to the end of the file.
  std::uint64_t member_bytes = 0;
  // Whether the block is complete.
  bool is_whole = false;

  bool can_be_cut_out() const noexcept { return member_bytes > 0; }
};

// A damaged place of the archive.
struct Fault {
  Errc code = Errc::malformed;
  std::uint64_t offset = 0;  // in the stored file
  std::string text;          // may contain data from outside
  // A stray line between two records, because a length is slightly too small. No record is lost.
  bool is_warning = false;
};

// BOUND: holds one header and 64 KiB, however large a record is.
//
// After a fault it continues with the next member, or at the next line that begins a record. A
// fault inside a record is followed by its record_end, whose extent is not whole.
class ArchiveReader {
 public:
  struct Step {
    enum class Kind : std::uint8_t { need_input, record, block, record_end, fault, end };
    Kind kind = Kind::need_input;
    std::size_t consumed = 0;
    Bytes block;  // BORROWS: until the next call
  };

  explicit ArchiveReader(const ArchiveLimits& limits = {}) noexcept : limits_(limits) {}

  // Takes one step. Call it until it returns need_input or end, even with no input left.
  Step next(Bytes input);
  // Call it when there is no more input.
  void finish() noexcept { input_.finish(); }

  // The header of the current record, from its record step to the next one.
  const RecordHead& head() const noexcept { return head_; }
  // Complete after the record_end step; before that, only plain_offset and member_offset are known.
  const Extent& extent() const noexcept { return extent_; }
  // REQUIRES: the last step was a fault.
  const Fault& fault() const noexcept { return fault_; }
  Compression compression() const noexcept { return input_.compression(); }

 private:
  enum class State : std::uint8_t {
    between,      // blank lines, until a record or the end
    head,         // a record has begun
    block,        // left_ bytes of it are missing
    member_gap,   // the member ended inside the block
    arc_lines,    // the first two lines of an ARC header's block, whatever its length
    block_ended,  // after a fault, before the record_end
    skipping,     // up to the next line that begins a record
  };
  // The next action of the parser: return the step, read more bytes, or parse again.
  enum class Turn : std::uint8_t { step, more, again };

  std::string_view rest() const noexcept { return std::string_view(plain_).substr(begin_); }
  void drop(std::size_t size) noexcept;
  void end_member() noexcept;

  Turn parse(Step& step);
  Turn parse_between(Step& step);
  Turn parse_head(Step& step);
  Turn parse_warc_head(Step& step);
  Turn parse_arc_head(Step& step);
  Turn parse_block(Step& step);
  Turn parse_arc_lines(Step& step);
  Turn parse_member_gap(Step& step);
  Turn parse_skipping(Step& step);
  // Handles the end of the input in the current state.
  Turn end_of_bytes(Step& step);
  Turn tell_damage(Step& step);
  // Returns true if the step is complete.
  bool read_input(Bytes& input, Step& step);

  Turn begin_record(Step& step, std::size_t head_bytes);
  Turn end_record(Step& step);
  Turn tell(Step& step, Errc code, std::string text, State then);
  Turn refuse_head(Step& step, Errc code, std::string text);

  ArchiveLimits limits_;
  ArchiveInput input_;
  RecordHead head_;
  Extent extent_;
  Fault fault_;
  std::string plain_;
  std::size_t begin_ = 0;           // of the unparsed bytes in plain_
  std::uint64_t plain_offset_ = 0;  // of begin_ in the decompressed file
  std::uint64_t left_ = 0;
  std::size_t scanned_ = 0;               // of a header, relative to begin_
  std::uint64_t no_head_end_before_ = 0;  // an offset like plain_offset_
  int arc_lines_ = 0;                     // lines that are missing
  // Where the current member begins in the decompressed file.
  std::uint64_t member_plain_offset_ = 0;
  State state_ = State::between;
  State then_ = State::between;    // after the record_end
  bool has_record_ = false;        // its record_end is still to come
  bool begins_member_ = false;     // the record is the first and so far only one in its member
  bool has_member_ended_ = false;  // after the last byte of plain_
  bool is_at_end_ = false;
  bool is_member_damaged_ = false;  // after the last byte of plain_
  bool is_at_file_end_ = false;     // inside the current member
  bool is_in_line_ = false;         // while skipping, inside a long line
  bool is_behind_block_ = false;    // without a line end after it
};

}  // namespace gossamer::warc

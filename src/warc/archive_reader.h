// Reads anybody's archive: WARC 0.17 to 1.1 and ARC 1 and 2; plain, in gzip members or zstd frames,
// one for each record or one around many.
//
//   ArchiveReader reader;
//   while (true) {
//     const ArchiveReader::Step step = reader.next(input);
//     input = input.subspan(step.consumed);
//     switch (step.kind) {
//       case Kind::need_input: input = ...; break;      // or reader.finish() at the end of the
//       file case Kind::record: use(reader.head()); break; case Kind::block: use(step.block);
//       break;       // a piece; there may be more, or none at all case Kind::record_end:
//       use(reader.extent()); break; case Kind::fault: report(reader.fault()); break; case
//       Kind::end: return;
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
  // The lines before a block. A head that has more is damage.
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
  // In the file without its compression; line ends behind the block are not counted.
  std::uint64_t plain_offset = 0;
  std::uint64_t plain_bytes = 0;
  // The member in which the record begins; in a file without compression the same as above.
  std::uint64_t member_offset = 0;
  // 0 if the record shares its member, or has part of another, or is damaged, so that nobody can
  // cut it out. To the end of the file if that cuts the member.
  std::uint64_t member_bytes = 0;
  // All of the block was there.
  bool is_whole = false;

  bool can_be_cut_out() const noexcept { return member_bytes > 0; }
};

// Where the archive is damaged, and how.
struct Fault {
  Errc code = Errc::malformed;
  std::uint64_t offset = 0;  // in the file as it is stored
  std::string text;          // data from outside may stand in it
  // A stray line between two records, because a length is a bit too small. Nothing is lost that
  // anybody could have.
  bool is_warning = false;
};

// BOUND: holds one head and 64 KiB, however large a record is.
//
// After a fault it goes on: with the next member, or at the next line that begins a record. A fault
// inside a record is followed by its record_end, which says that it is not whole.
class ArchiveReader {
 public:
  struct Step {
    enum class Kind : std::uint8_t { need_input, record, block, record_end, fault, end };
    Kind kind = Kind::need_input;
    std::size_t consumed = 0;
    Bytes block;  // BORROWS: until the next call
  };

  explicit ArchiveReader(const ArchiveLimits& limits = {}) noexcept : limits_(limits) {}

  // Goes on by one step. To be called until it says need_input or end, also with no input left.
  Step next(Bytes input);
  // No input will come any more.
  void finish() noexcept { input_.finish(); }

  // Of the present record, from its record step to the next one.
  const RecordHead& head() const noexcept { return head_; }
  // Complete with the record_end step; before that plain_offset and member_offset are known.
  const Extent& extent() const noexcept { return extent_; }
  // REQUIRES: a fault step was the last.
  const Fault& fault() const noexcept { return fault_; }
  Compression compression() const noexcept { return input_.compression(); }

 private:
  enum class State : std::uint8_t {
    between,      // blank lines, until a record or the end
    head,         // a record has begun
    block,        // left_ bytes of it are to come
    member_gap,   // the member ended inside the block
    arc_lines,    // the first two lines of an ARC header's block, whatever length it has
    block_ended,  // a fault was told; the record_end is to be
    skipping,     // to the next line that begins a record
  };
  // What the parser wants: hand out the step, more bytes, or another turn.
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
  // The input has no more bytes for the present state.
  Turn end_of_bytes(Step& step);
  Turn tell_damage(Step& step);
  // True: the step is to be handed out.
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
  std::size_t begin_ = 0;           // of what is not parsed yet, in plain_
  std::uint64_t plain_offset_ = 0;  // of begin_ in the file without its compression
  std::uint64_t left_ = 0;
  std::size_t scanned_ = 0;               // of a head, from begin_
  std::uint64_t no_head_end_before_ = 0;  // an offset, as plain_offset_ is
  int arc_lines_ = 0;                     // that are to come
  // Where the present member begins in the file without its compression.
  std::uint64_t member_plain_offset_ = 0;
  State state_ = State::between;
  State then_ = State::between;    // behind the record_end
  bool has_record_ = false;        // whose record_end is to come
  bool begins_member_ = false;     // the record does, and has been the only one in it
  bool has_member_ended_ = false;  // behind the last byte of plain_
  bool is_at_end_ = false;
  bool is_member_damaged_ = false;  // behind the last byte of plain_
  bool is_at_file_end_ = false;     // which is inside the present member
  bool is_in_line_ = false;         // while skipping, behind the begin of a long one
  bool is_behind_block_ = false;    // without a line end between
};

}  // namespace gossamer::warc

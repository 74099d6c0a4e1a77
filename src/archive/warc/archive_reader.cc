#include "warc/archive_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "warc/arc_head.h"

namespace gossamer::warc {
namespace {

using Kind = ArchiveReader::Step::Kind;

constexpr std::string_view kWarc = "WARC/";
// The length of the line before an ARC record.
constexpr std::size_t kArcLineBytesMax = 16 * 1024;
constexpr std::uint64_t kNoLength = ~std::uint64_t{0};

// Compares as many bytes as both have.
bool may_begin_with(std::string_view text, std::string_view wanted) {
  const std::size_t size = std::min(text.size(), wanted.size());
  return text.substr(0, size) == wanted.substr(0, size);
}

bool is_known_version(std::string_view line) {
  if (!line.starts_with(kWarc)) return false;
  const std::string_view version = line.substr(kWarc.size());
  return version.starts_with("1.") || version.starts_with("0.");
}

// Returns the size of the lines up to and including an empty one. Returns nothing if that has not
// arrived; `scanned` is then where to continue.
std::optional<std::size_t> head_size(std::string_view text, std::size_t& scanned) {
  while (true) {
    const std::size_t line_end = text.find('\n', scanned);
    if (line_end == std::string_view::npos) return std::nullopt;
    const std::string_view next = text.substr(line_end + 1);
    if (next.starts_with('\n')) return line_end + 2;
    if (next.starts_with("\r\n")) return line_end + 3;
    if (next.empty() || next == "\r") {
      scanned = line_end;
      return std::nullopt;
    }
    scanned = line_end + 1;
  }
}

std::uint64_t content_length_of(const Fields& fields) {
  const auto text = fields.find("Content-Length");
  if (!text) return kNoLength;
  std::uint64_t bytes = 0;
  const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), bytes);
  if (failure != std::errc() || end != text->data() + text->size()) return kNoLength;
  return bytes;
}

RecordHead parse_warc_lines(std::string_view lines) {
  RecordHead head;
  bool is_first = true;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    if (is_first) {
      head.version = base::trimmed(line, " \t\r");
    } else {
      head.fields.append_line(line);
    }
    is_first = false;
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  head.type = record_type_named(head.fields.find("WARC-Type").value_or(""));
  return head;
}

}  // namespace

void ArchiveReader::drop(std::size_t size) noexcept {
  begin_ += size;
  plain_offset_ += size;
  if (begin_ < plain_.size()) return;
  plain_.clear();
  begin_ = 0;
}

void ArchiveReader::end_member() noexcept {
  has_member_ended_ = false;
  member_plain_offset_ = plain_offset_ + rest().size();
}

ArchiveReader::Step ArchiveReader::next(Bytes input) {
  const std::size_t given = input.size();
  Step step;
  while (true) {
    Turn turn = parse(step);
    // The bytes of a member that ended come before those of the next.
    if (turn == Turn::more && has_member_ended_) {
      end_member();
      turn = Turn::again;
    } else if (turn == Turn::more && is_member_damaged_) {
      turn = tell_damage(step);
    } else if (turn == Turn::more && is_at_end_) {
      turn = end_of_bytes(step);
    }
    if (turn == Turn::again) continue;
    if (turn == Turn::step || read_input(input, step)) break;
  }
  step.consumed = given - input.size();
  return step;
}

bool ArchiveReader::read_input(Bytes& input, Step& step) {
  if (begin_ > 0) {
    plain_.erase(0, begin_);
    begin_ = 0;
  }
  const ArchiveInput::Step read = input_.read(input, plain_);
  input = input.subspan(read.consumed);
  using ReadKind = ArchiveInput::Step::Kind;
  switch (read.kind) {
    case ReadKind::need_input: step.kind = Kind::need_input; return true;
    case ReadKind::bytes: return false;
    case ReadKind::member_end: has_member_ended_ = true; return false;
    case ReadKind::end: is_at_end_ = true; return false;
    case ReadKind::damaged:
    case ReadKind::cut:
      // Earlier bytes are parsed first.
      is_member_damaged_ = true;
      is_at_file_end_ = read.kind == ReadKind::cut;
      return false;
  }
  return false;
}

ArchiveReader::Turn ArchiveReader::tell_damage(Step& step) {
  is_member_damaged_ = false;
  drop(rest().size());
  end_member();
  // A false member found after damage is part of that damage.
  if (input_.is_trial()) {
    state_ = State::between;
    return Turn::again;
  }
  extent_.is_whole = false;
  tell(step, is_at_file_end_ ? Errc::peer_closed : Errc::malformed,
       is_at_file_end_ ? "the file ends inside a compressed member" : std::string(input_.damage()),
       State::between);
  fault_.offset = input_.member_offset();
  return Turn::step;
}

ArchiveReader::Turn ArchiveReader::parse(Step& step) {
  switch (state_) {
    case State::between: return parse_between(step);
    case State::head: return parse_head(step);
    case State::block: return parse_block(step);
    case State::member_gap: return parse_member_gap(step);
    case State::arc_lines: return parse_arc_lines(step);
    case State::block_ended: return end_record(step);
    case State::skipping: return parse_skipping(step);
  }
  return Turn::more;
}

ArchiveReader::Turn ArchiveReader::end_of_bytes(Step& step) {
  const bool is_inside = state_ == State::block || state_ == State::member_gap;
  if (is_inside) {
    return tell(step, Errc::peer_closed, "the file ends inside a record", State::between);
  }
  if (state_ == State::head) {
    tell(step, Errc::peer_closed, "the file ends inside a record header", State::between);
    drop(rest().size());
    return Turn::step;
  }
  drop(rest().size());
  if (has_record_) return end_record(step);
  step.kind = Kind::end;
  return Turn::step;
}

// Skips blank lines. The extent of a record is known when its member ends or another record begins.
ArchiveReader::Turn ArchiveReader::parse_between(Step& step) {
  const std::string_view text = rest();
  const std::size_t blanks = std::min(text.find_first_not_of("\r\n"), text.size());
  if (blanks > 0) is_behind_block_ = false;
  drop(blanks);
  if (rest().empty()) {
    if (!has_member_ended_) return Turn::more;
    is_behind_block_ = false;
    return has_record_ ? end_record(step) : Turn::more;
  }
  // An uncompressed file counts as one member.
  if (has_record_) {
    if (compression() != Compression::none) begins_member_ = false;
    return end_record(step);
  }
  extent_ = {
      .plain_offset = plain_offset_,
      .member_offset = compression() == Compression::none ? plain_offset_ : input_.member_offset()};
  begins_member_ = compression() == Compression::none || plain_offset_ == member_plain_offset_;
  scanned_ = static_cast<std::size_t>(std::max(no_head_end_before_, plain_offset_) - plain_offset_);
  state_ = State::head;
  return Turn::again;
}

ArchiveReader::Turn ArchiveReader::end_record(Step& step) {
  extent_.member_bytes = 0;
  if (compression() == Compression::none) {
    extent_.member_bytes = extent_.plain_bytes;
  } else if (begins_member_ && (extent_.is_whole || is_at_file_end_)) {
    extent_.member_bytes = input_.position() - extent_.member_offset;
  }
  has_record_ = false;
  state_ = std::exchange(then_, State::between);
  step.kind = Kind::record_end;
  return Turn::step;
}

ArchiveReader::Turn ArchiveReader::parse_head(Step& step) {
  const std::string_view text = rest();
  if (text.size() < kWarc.size() && may_begin_with(text, kWarc)) return Turn::more;
  return text.starts_with(kWarc) ? parse_warc_head(step) : parse_arc_head(step);
}

ArchiveReader::Turn ArchiveReader::refuse_head(Step& step, Errc code, std::string text) {
  // Faults inside a possible member are not reported.
  if (input_.is_trial()) {
    drop(1);
    is_in_line_ = true;
    state_ = State::skipping;
    return Turn::again;
  }
  tell(step, code, std::move(text), State::skipping);
  fault_.is_warning = is_behind_block_;
  drop(1);  // this line was checked
  is_in_line_ = true;
  return Turn::step;
}

ArchiveReader::Turn ArchiveReader::parse_warc_head(Step& step) {
  const std::string_view text = rest();
  const auto size = head_size(text, scanned_);
  // After a header that is too long, the next line may begin another one. The part that was
  // searched for its end is not searched again.
  no_head_end_before_ = plain_offset_ + scanned_;
  if (size.value_or(text.size()) > limits_.head_bytes_max) {
    return refuse_head(step, Errc::over_limit, "the record header is too long");
  }
  if (!size) return Turn::more;
  const std::string_view first = text.substr(0, text.find('\n'));
  if (!is_known_version(first)) {
    return refuse_head(step, Errc::unsupported,
                       "unknown version " + std::string(base::trimmed(first, " \r").substr(0, 40)));
  }
  head_ = parse_warc_lines(text.substr(0, *size));
  head_.raw = text.substr(0, *size);
  const std::uint64_t length = content_length_of(head_.fields);
  head_.block_bytes = length == kNoLength ? 0 : length;
  const Turn turn = begin_record(step, *size);
  if (length == kNoLength) left_ = kNoLength;
  return turn;
}

ArchiveReader::Turn ArchiveReader::parse_arc_head(Step& step) {
  const std::string_view text = rest();
  const std::size_t line_end = text.substr(0, kArcLineBytesMax).find('\n');
  const bool is_whole = line_end != std::string_view::npos;
  const bool may_go_on = !is_at_end_ && !has_member_ended_ && text.size() < kArcLineBytesMax;
  if (!is_whole && may_go_on) return Turn::more;
  auto head = is_whole ? parse_arc_line(text.substr(0, line_end)) : std::nullopt;
  if (!head) {
    const std::string_view line =
        base::trimmed(text.substr(0, std::min(line_end, text.size())), " \r");
    return refuse_head(step, Errc::malformed,
                       "a record cannot begin with `" + std::string(line.substr(0, 40)) + "`");
  }
  head_ = std::move(*head);
  head_.raw = text.substr(0, line_end + 1);
  const Turn turn = begin_record(step, line_end + 1);
  if (head_.type == RecordType::arc_header) {
    state_ = State::arc_lines;
    arc_lines_ = 2;
  }
  return turn;
}

ArchiveReader::Turn ArchiveReader::begin_record(Step& step, std::size_t head_bytes) {
  drop(head_bytes);
  input_.accept_trial();
  extent_.plain_bytes = head_bytes;
  left_ = head_.block_bytes;
  has_record_ = true;
  is_behind_block_ = false;
  state_ = State::block;
  step.kind = Kind::record;
  return Turn::step;
}

ArchiveReader::Turn ArchiveReader::parse_block(Step& step) {
  if (left_ == kNoLength) {
    return tell(step, Errc::malformed, "the record has no length", State::skipping);
  }
  if (left_ == 0) {
    extent_.is_whole = true;
    is_behind_block_ = true;
    state_ = State::between;
    return Turn::again;
  }
  const std::string_view text = rest();
  if (text.empty()) {
    if (!has_member_ended_) return Turn::more;
    state_ = State::member_gap;
    end_member();
    return Turn::again;
  }
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(text.size(), left_));
  step.kind = Kind::block;
  step.block = as_bytes(text.substr(0, size));
  left_ -= size;
  extent_.plain_bytes += size;
  // Not drop(): the bytes must stay valid until the next call.
  begin_ += size;
  plain_offset_ += size;
  return Turn::step;
}

// Some writers begin a member in the middle of a record, at its HTTP body. But if the next member
// begins with a record, the block is shorter than its header says.
ArchiveReader::Turn ArchiveReader::parse_member_gap(Step& step) {
  begins_member_ = false;
  const std::string_view text = rest();
  const bool is_undecided = text.size() < kWarc.size() && may_begin_with(text, kWarc);
  if (is_undecided && !has_member_ended_) return Turn::more;
  if (text.starts_with(kWarc) || head_.format == RecordFormat::arc) {
    return tell(step, Errc::malformed, "the block is shorter than its header says", State::between);
  }
  state_ = State::block;
  return Turn::again;
}

ArchiveReader::Turn ArchiveReader::parse_arc_lines(Step& step) {
  const std::string_view text = rest();
  if (text.empty()) {
    if (!is_at_end_ && !has_member_ended_) return Turn::more;
    state_ = State::block;
    return Turn::again;
  }
  const std::size_t line_end = text.find('\n');
  const std::size_t size = std::min(line_end, text.size() - 1) + 1;
  if (line_end != std::string_view::npos && --arc_lines_ == 0) state_ = State::block;
  left_ -= std::min<std::uint64_t>(left_, size);
  step.kind = Kind::block;
  step.block = as_bytes(text.substr(0, size));
  extent_.plain_bytes += size;
  begin_ += size;
  plain_offset_ += size;
  return Turn::step;
}

ArchiveReader::Turn ArchiveReader::parse_skipping(Step& step) {
  const std::string_view text = rest();
  if (has_member_ended_ && text.empty()) {
    state_ = State::between;
    return Turn::again;
  }
  const std::size_t line_end = text.find('\n');
  const bool is_whole = line_end != std::string_view::npos;
  if (!is_in_line_) {
    const bool is_known = is_whole || has_member_ended_ || is_at_end_ ||
                          text.size() >= kArcLineBytesMax || is_known_version(text);
    if (!is_known) return Turn::more;
    if (is_known_version(text) ||
        (is_whole && line_end < kArcLineBytesMax && parse_arc_line(text.substr(0, line_end)))) {
      state_ = State::between;
      return Turn::again;
    }
    // More than one line is no longer just a warning.
    if (fault_.is_warning && !base::trimmed(text.substr(0, line_end), " \r\n").empty()) {
      return tell(step, Errc::malformed, "bytes that belong to no record", State::skipping);
    }
  }
  is_in_line_ = !is_whole;
  drop(is_whole ? line_end + 1 : text.size());
  return rest().empty() && !has_member_ended_ ? Turn::more : Turn::again;
}

ArchiveReader::Turn ArchiveReader::tell(Step& step, Errc code, std::string text, State then) {
  const std::uint64_t offset = has_record_                          ? extent_.member_offset
                               : compression() == Compression::none ? plain_offset_
                                                                    : input_.member_offset();
  fault_ = {.code = code, .offset = offset, .text = std::move(text)};
  is_in_line_ = false;
  is_behind_block_ = is_behind_block_ && !has_record_;
  // If a record has begun, its record_end follows the fault.
  then_ = has_record_ ? then : State::between;
  state_ = has_record_ ? State::block_ended : then;
  step.kind = Kind::fault;
  return Turn::step;
}

}  // namespace gossamer::warc

#include "warc/archive_input.h"

#include <algorithm>

#include "base/check.h"

namespace gossamer::warc {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;
constexpr std::size_t kMagicBytes = 4;

unsigned value(std::byte byte) { return static_cast<unsigned>(byte); }

// RFC 8878 section 3.1: a frame, or a skippable frame. "P" to "_" also begin plain text, so the
// second byte decides.
bool may_be_zstd(unsigned first) { return first == 0x28 || first >> 4 == 5; }
bool is_zstd(unsigned first, unsigned second) {
  return (first == 0x28 && second == 0xB5) || (first >> 4 == 5 && second == 0x2A);
}

}  // namespace

void ArchiveInput::consume(Bytes& input, std::size_t size) noexcept {
  input = input.subspan(size);
  position_ += size;
}

ArchiveInput::Step ArchiveInput::read(Bytes input, std::string& out) {
  const std::size_t given = input.size();
  Step step;
  for (bool is_done = false; !is_done;) {
    // zlib may hold output that did not fit: a member can continue without input.
    const bool has_more =
        !input.empty() || state_ == State::member || (state_ == State::plain && !held_.empty());
    if (!has_more) {
      is_done = end_of_input(step);
      continue;
    }
    switch (state_) {
      case State::sniffing: is_done = sniff(input, step); break;
      case State::plain: is_done = copy(input, out, step); break;
      case State::between: is_done = begin_member(input, step); break;
      case State::member: is_done = inflate(input, out, step); break;
      case State::hunting: is_done = hunt(input, step); break;
    }
  }
  step.consumed = given - input.size();
  return step;
}

bool ArchiveInput::end_of_input(Step& step) {
  if (is_finished_ && state_ == State::sniffing && !held_.empty()) {
    state_ = State::plain;  // a single byte, which is not the beginning of a member
    return false;
  }
  step.kind = is_finished_ ? Step::Kind::end : Step::Kind::need_input;
  return true;
}

bool ArchiveInput::sniff(Bytes& input, Step& step) {
  const bool is_first = held_.empty();
  const unsigned first =
      is_first ? value(input[0]) : static_cast<unsigned>(static_cast<unsigned char>(held_[0]));
  if (is_first && may_be_zstd(first) && input.size() == 1 && !is_finished_) {
    held_.push_back(static_cast<char>(first));
    consume(input, 1);
    step.kind = Step::Kind::need_input;
    return true;
  }
  const std::size_t second_at = is_first ? 1 : 0;
  const unsigned second = input.size() > second_at ? value(input[second_at]) : 0;
  if (first == 0x1F) {
    compression_ = Compression::gzip;
    codec_ = make_gzip_member_codec();
  } else if (is_zstd(first, second)) {
    compression_ = Compression::zstd;
    codec_ = make_zstd_member_codec();
  }
  state_ = codec_ == nullptr ? State::plain : held_.empty() ? State::between : State::member;
  return false;
}

bool ArchiveInput::copy(Bytes& input, std::string& out, Step& step) {
  out += held_;
  held_.clear();
  const std::size_t size = std::min(input.size(), kPieceBytes);
  out += as_text(input.first(size));
  consume(input, size);
  step.kind = Step::Kind::bytes;
  return true;
}

bool ArchiveInput::is_magic(std::size_t index, std::byte byte) const noexcept {
  constexpr unsigned kGzip[] = {0x1F, 0x8B, 0x08};
  constexpr unsigned kZstd[] = {0x28, 0xB5, 0x2F, 0xFD};
  if (compression_ == Compression::zstd) return value(byte) == kZstd[index];
  // The highest bits of the flags are reserved.
  return index == 3 ? (value(byte) & 0xE0) == 0 : value(byte) == kGzip[index];
}

bool ArchiveInput::begin_member(Bytes& input, Step& step) {
  member_offset_ = position_;
  const unsigned first = value(input[0]);
  if (compression_ == Compression::gzip ? first == 0x1F : may_be_zstd(first)) {
    state_ = State::member;
    is_trial_ = false;
    return false;
  }
  damage_ = "bytes that belong to no member";
  state_ = State::hunting;
  matched_ = 0;
  step.kind = Step::Kind::damaged;
  return true;
}

bool ArchiveInput::inflate(Bytes& input, std::string& out, Step& step) {
  const std::size_t before = out.size();
  MemberCodec::Step run;
  // Not the whole size: the standard library may give more room than requested.
  out.resize_and_overwrite(before + kPieceBytes, [&](char* data, std::size_t) {
    const MutableBytes room(reinterpret_cast<std::byte*>(data) + before, kPieceBytes);
    if (!held_.empty()) {
      run = codec_->run(as_bytes(held_), room);
      if (run.status == MemberCodec::Status::more) held_.clear();
      run.consumed = 0;
      if (run.produced > 0 || run.status != MemberCodec::Status::more) {
        return before + run.produced;
      }
    }
    run = codec_->run(input, room);
    return before + run.produced;
  });
  consume(input, run.consumed);
  if (run.status == MemberCodec::Status::more) {
    if (run.produced > 0) {
      step.kind = Step::Kind::bytes;
      return true;
    }
    if (!input.empty()) return false;
    step.kind = is_finished_ ? Step::Kind::cut : Step::Kind::need_input;
    if (is_finished_) state_ = State::hunting;
    return true;
  }
  held_.clear();
  codec_->begin_again();
  const bool has_ended = run.status == MemberCodec::Status::ended;
  damage_ = "damaged compressed data";
  matched_ = 0;
  state_ = has_ended ? State::between : State::hunting;
  step.kind = has_ended ? Step::Kind::member_end : Step::Kind::damaged;
  return true;
}

bool ArchiveInput::hunt(Bytes& input, Step& step) {
  while (!input.empty()) {
    const std::byte byte = input[0];
    consume(input, 1);
    if (is_magic(matched_, byte)) {
      held_.push_back(static_cast<char>(byte));
      ++matched_;
    } else {
      held_.clear();
      matched_ = is_magic(0, byte) ? 1 : 0;
      if (matched_ == 1) held_.push_back(static_cast<char>(byte));
    }
    if (matched_ < kMagicBytes) continue;
    member_offset_ = position_ - kMagicBytes;
    matched_ = 0;
    is_trial_ = true;
    state_ = State::member;
    return false;
  }
  step.kind = is_finished_ ? Step::Kind::end : Step::Kind::need_input;
  return true;
}

}  // namespace gossamer::warc

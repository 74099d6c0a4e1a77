#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "wire/codec.h"

namespace gossamer::wire {
namespace {

constexpr int kWindowLogMax = 23;           // 8 MiB: RFC 9659
constexpr std::size_t kFrameHeadBytes = 5;  // enough to know the length of the frame header

// The library may have been built with the formats from before version 1.0. Servers do not send
// them, and we do not accept them. They begin with other bytes than frames and skippable frames.
bool may_begin_frame(std::byte first) {
  const auto byte = std::to_integer<unsigned char>(first);
  return byte == 0x28 || byte >> 4 == 0x5;
}

struct Deleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// RFC 8878: one or more frames.
class ZstdCodec final : public Codec {
 public:
  Step run(Bytes input, MutableBytes out) override {
    if (context_ == nullptr) {
      if (input.empty()) return {};
      open();
    }
    ZSTD_inBuffer in = {input.data(), 0, 0};
    ZSTD_outBuffer to = {out.data(), out.size(), 0};
    Step step;
    bool is_stuck = false;
    while (step.status == Status::more && to.pos < to.size && !is_stuck) {
      // After a frame has ended, the next one begins only if more input arrives.
      if (is_between_frames_ && in.pos == input.size()) break;
      const std::size_t before = in.pos + to.pos;
      // A call that fails loses its output. So it gets no more input than it needs, and none while
      // earlier output is waiting for room: then only the damaged block is lost, however the data
      // is divided.
      const bool is_flush = has_more_output_;
      in.size = is_flush ? in.pos : std::min(input.size(), in.pos + wanted_bytes_);
      if (is_between_frames_) frame_bytes_ = 0;
      if (frame_bytes_ == 0 && in.pos < input.size() && !may_begin_frame(input[in.pos])) {
        step.status = has_frame_ ? Status::ended : Status::damaged;
        break;
      }
      const std::size_t before_input = in.pos;
      const std::size_t result = ZSTD_decompressStream(context_.get(), &to, &in);
      frame_bytes_ += in.pos - before_input;
      if (ZSTD_isError(result)) {
        step.status = status_of(result);
      } else {
        is_between_frames_ = result == 0;
        has_frame_ |= is_between_frames_;
        wanted_bytes_ = is_between_frames_ ? kFrameHeadBytes : result;
      }
      has_more_output_ = to.pos == to.size;
      is_stuck = in.pos + to.pos == before && !is_flush;
    }
    step.consumed = in.pos;
    step.produced = to.pos;
    return step;
  }

  bool may_end() const override {
    return context_ == nullptr || is_between_frames_ || is_garbage();
  }
  std::size_t window_bytes_max() const override { return std::size_t{1} << kWindowLogMax; }

 private:
  void open() {
    context_.reset(ZSTD_createDCtx());
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
  }

  // Returns whether the bytes after a whole frame are too few to be another.
  bool is_garbage() const { return has_frame_ && frame_bytes_ < kFrameHeadBytes; }

  Status status_of(std::size_t result) const {
    const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
    if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (code == ZSTD_error_frameParameter_windowTooLarge) return Status::refused;
    // Data after a whole frame that is not a frame is ignored.
    return has_frame_ && code == ZSTD_error_prefix_unknown ? Status::ended : Status::damaged;
  }

  std::unique_ptr<ZSTD_DCtx, Deleter> context_;
  std::size_t wanted_bytes_ = kFrameHeadBytes;
  std::uint64_t frame_bytes_ = 0;
  bool has_more_output_ = false;
  bool is_between_frames_ = false;
  bool has_frame_ = false;
};

}  // namespace

std::unique_ptr<Codec> make_zstd_codec() { return std::make_unique<ZstdCodec>(); }

}  // namespace gossamer::wire

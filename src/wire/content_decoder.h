// Undoes content codings while the body arrives, within bounds.
//
//   ContentDecoder decoder(codings, limits);
//   do {
//     const auto step = decoder.decode(input, scratch);
//     input = input.subspan(step.consumed);
//     use(scratch.first(step.produced));
//     is_full = step.produced == scratch.size();
//   } while (is_full && !decoder.has_stopped());
//   ...                                              // at the end of the body
//   if (decoder.finish() != DecodeEnd::complete) ... // the bytes so far are good, but not all
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "wire/codec.h"
#include "wire/content_coding.h"

namespace gossamer::wire {

struct DecodeLimits {
  // Decoded bytes, of each coding. A body that has more is cut there.
  std::uint64_t bytes_max = 64 * 1024 * 1024;
  // Decoded bytes per encoded one, asked once there are more than `ratio_free_bytes` (REQUIRES: at
  // least one). Deflate reaches 1,032 at most; brotli and zstd far more, on text that repeats
  // itself.
  std::uint64_t ratio_max = 2000;
  std::uint64_t ratio_free_bytes = 4 * 1024 * 1024;
};

// How a decoded body ended. But for `complete` there are fewer bytes than there should be.
enum class DecodeEnd : std::uint8_t {
  complete,
  over_bytes,  // stopped at DecodeLimits::bytes_max
  over_ratio,  // stopped at DecodeLimits::ratio_max
  refused,     // the data asks for more memory than RFC 9659 lets it
  damaged,     // the data is not what it says it is (brotli may give less if it came at once)
  cut,         // the data stops in the middle
};

// "over_bytes": stable, for records.
std::string_view name(DecodeEnd end) noexcept;

class ContentDecoder {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
  };

  // Codings in the order in which they were applied, as parse_content_codings gives them. With
  // none, bytes pass unchanged. Memory for a coding is taken when its first byte comes.
  explicit ContentDecoder(std::span<const ContentCoding> codings, const DecodeLimits& limits = {});

  // Stops when `out` is full, else when the input is used up. Once it has stopped for good, it
  // consumes everything and produces nothing. REQUIRES: room in `out`.
  Step decode(Bytes input, MutableBytes out);

  // No more output will come, whatever is fed: the data has ended, or it is no use to go on.
  bool has_stopped() const noexcept { return has_stopped_; }

  // The body has ended.
  DecodeEnd finish() const;

  std::uint64_t decoded_bytes() const noexcept { return decoded_bytes_; }

 private:
  // One coding. The first gets the input; each of the others what the one before it produces.
  struct Stage {
    std::unique_ptr<Codec> codec;
    std::vector<std::byte> buffer;  // what the stage before produced; not used by the first
    Bytes pending;                  // the part of it that is not consumed
    std::uint64_t produced = 0;
    bool has_ended = false;  // for whatever reason
  };

  std::size_t pull(std::size_t index, MutableBytes out);
  bool refill(std::size_t index);
  std::size_t pass_through(MutableBytes out);
  void end(Stage& stage, DecodeEnd why);
  void take(Stage& stage, const Codec::Step& step);
  std::uint64_t room_for(const Stage& stage) const;

  std::vector<Stage> stages_;
  DecodeLimits limits_;
  Bytes input_;
  std::uint64_t encoded_bytes_ = 0;
  std::uint64_t decoded_bytes_ = 0;
  DecodeEnd end_ = DecodeEnd::complete;  // the first trouble there was
  bool has_stopped_ = false;
};

}  // namespace gossamer::wire

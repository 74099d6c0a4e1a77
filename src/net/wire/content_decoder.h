// Decodes content codings while the body arrives, within bounds.
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
  // Decoded bytes, per coding. A longer body is cut there.
  std::uint64_t bytes_max = 64 * 1024 * 1024;
  // Decoded bytes per encoded byte, checked once there are more than `ratio_free_bytes` (REQUIRES:
  // at least one). Deflate reaches at most 1,032; brotli and zstd reach far more on repetitive
  // text.
  std::uint64_t ratio_max = 2000;
  std::uint64_t ratio_free_bytes = 4 * 1024 * 1024;
};

// How a decoded body ended. Unless it is `complete`, some bytes are missing.
enum class DecodeEnd : std::uint8_t {
  complete,
  over_bytes,  // stopped at DecodeLimits::bytes_max
  over_ratio,  // stopped at DecodeLimits::ratio_max
  refused,     // the data needs more memory than RFC 9659 allows
  damaged,     // the data is invalid (brotli may produce less if it arrived in one piece)
  cut,         // the data is truncated
};

// Returns a stable name for records, such as "over_bytes".
std::string_view name(DecodeEnd end) noexcept;

class ContentDecoder {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
  };

  // Takes codings in the order in which they were applied, as parse_content_codings() returns them.
  // Without any, bytes pass unchanged. Memory for a coding is allocated when its first byte
  // arrives.
  explicit ContentDecoder(std::span<const ContentCoding> codings, const DecodeLimits& limits = {});

  // Decodes until `out` is full or the input is used up. Once it has stopped for good, it consumes
  // everything and produces nothing. REQUIRES: `out` is not empty.
  Step decode(Bytes input, MutableBytes out);

  // Returns whether no more output will come: the data has ended, or decoding failed.
  bool has_stopped() const noexcept { return has_stopped_; }

  // Call it at the end of the body.
  DecodeEnd finish() const;

  std::uint64_t decoded_bytes() const noexcept { return decoded_bytes_; }
  // About the memory that it takes now: a window has what was decoded, up to its size.
  std::size_t bytes_held() const noexcept;

  // Changes DecodeLimits::bytes_max. REQUIRES: it was not reached, and the new one is larger.
  void raise_limit(std::uint64_t bytes_max) noexcept { limits_.bytes_max = bytes_max; }

 private:
  // One coding. The first one reads the input; each of the others reads the output of the one
  // before it.
  struct Stage {
    std::unique_ptr<Codec> codec;
    std::vector<std::byte> buffer;  // output of the previous stage; unused by the first stage
    Bytes pending;                  // the part of it that is not consumed
    std::uint64_t produced = 0;
    bool has_ended = false;  // for any reason
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
  DecodeEnd end_ = DecodeEnd::complete;  // the first failure
  bool has_stopped_ = false;
};

}  // namespace gossamer::wire

// Decodes a body that is whole: faster than piece by piece where libdeflate can be used, and with
// the same bounds and the same result.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/bytes.h"
#include "wire/content_coding.h"
#include "wire/content_decoder.h"

struct libdeflate_decompressor;

namespace gossamer::wire {

struct DecodedBody {
  std::string bytes;
  DecodeEnd end = DecodeEnd::complete;
};

// Keeps what libdeflate needs from one body to the next; one per loop is enough.
class WholeDecoder {
 public:
  WholeDecoder();
  WholeDecoder(WholeDecoder&&) noexcept = default;
  WholeDecoder& operator=(WholeDecoder&&) noexcept = default;

  DecodedBody decode(std::span<const ContentCoding> codings, Bytes body,
                     const DecodeLimits& limits = {});
  // Whether libdeflate knows what they are.
  static bool is_fast(std::span<const ContentCoding> codings) noexcept;
  // The same by libdeflate. Nothing if that cannot be taken to a good end: another coding, too
  // much, or something is wrong, which the other way finds out.
  std::optional<std::string> decode_fast(std::span<const ContentCoding> codings, Bytes body,
                                         const DecodeLimits& limits);

 private:
  struct Deleter {
    void operator()(libdeflate_decompressor* decompressor) const noexcept;
  };

  std::optional<std::string> decode_gzip(Bytes body, const DecodeLimits& limits);
  std::optional<std::string> decode_deflate(Bytes body, const DecodeLimits& limits);

  std::unique_ptr<libdeflate_decompressor, Deleter> decompressor_;
};

}  // namespace gossamer::wire

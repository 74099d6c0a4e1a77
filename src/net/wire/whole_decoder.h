// Decodes a complete body where libdeflate can: faster than piece by piece, with the same bounds
// and the same result.
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

// Reuses libdeflate's state from one body to the next; one per loop is enough.
class WholeDecoder {
 public:
  WholeDecoder();
  WholeDecoder(WholeDecoder&&) noexcept = default;
  WholeDecoder& operator=(WholeDecoder&&) noexcept = default;

  // Returns whether libdeflate supports the codings.
  static bool is_fast(std::span<const ContentCoding> codings) noexcept;
  // Decodes with libdeflate. Returns nothing if that fails (another coding, too much data, or
  // invalid data), and the caller falls back to streaming, which reports the reason.
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

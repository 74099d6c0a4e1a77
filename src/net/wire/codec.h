// Decodes one content coding step by step. Each library is included by one .cc file only.
#pragma once

#include <cstddef>
#include <memory>

#include "base/bytes.h"
#include "base/codec_step.h"

namespace gossamer::wire {

class Codec {
 public:
  using Status = base::CodecStatus;
  using Step = base::CodecStep;

  virtual ~Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;

  // Runs until the output is full, the input is used up, or the data ends. REQUIRES: `out` is not
  // empty.
  virtual Step run(Bytes input, MutableBytes out) = 0;
  // Returns whether the data may end here: after a whole frame or member, or before the first byte.
  virtual bool may_end() const = 0;
  // BOUND: the decoded bytes that it keeps.
  virtual std::size_t window_bytes_max() const = 0;

 protected:
  Codec() = default;
};

std::unique_ptr<Codec> make_gzip_codec();
// Accepts data with a zlib header or, as some servers send it, without.
std::unique_ptr<Codec> make_deflate_codec();
std::unique_ptr<Codec> make_brotli_codec();
// BOUND: windows of at most 8 MiB, as RFC 9659 allows.
std::unique_ptr<Codec> make_zstd_codec();

}  // namespace gossamer::wire

// Decompresses deflate (RFC 1951) step by step. Only its .cc file uses zlib for reading.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "base/codec_step.h"

namespace gossamer::base {

// Reads one member or stream. Throws std::bad_alloc if memory runs out.
class Inflater {
 public:
  enum class Format : std::uint8_t {
    gzip,  // RFC 1952
    zlib,  // RFC 1950
    raw,   // RFC 1951 without any frame
  };

  explicit Inflater(Format format);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Runs until the output is full, the input is used up, or the member ends; bytes after the member
  // are not consumed. It can produce output without input if the output was full before. It
  // consumes and produces nothing if it needs more input. REQUIRES: `out` is not empty.
  CodecStep run(Bytes input, MutableBytes out);

  // Prepares for another member.
  void begin_again();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace gossamer::base

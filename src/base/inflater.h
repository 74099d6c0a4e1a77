// Undoes deflate (RFC 1951) step by step. The only file that reads with zlib is its .cc.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "base/codec_step.h"

namespace gossamer::base {

// Reads one member or stream. Throws std::bad_alloc where there is no memory.
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

  // Until the output is full, the input is used up, or the member ends; what follows is not
  // consumed. May produce without input: output for which there was no room before. Consumes and
  // produces nothing if it cannot go on without more. REQUIRES: room in `out`.
  CodecStep run(Bytes input, MutableBytes out);

  // For another member.
  void begin_again();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace gossamer::base

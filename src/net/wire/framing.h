// Determines the length of a response body: RFC 9112 section 6.3.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "wire/response_head.h"

namespace gossamer::wire {

// The framing of a response depends on its request.
enum class RequestKind : std::uint8_t {
  ordinary,
  head,     // the response never has a body
  connect,  // after a 2xx response the connection is a tunnel
};

struct Framing {
  enum class Kind : std::uint8_t { none, length, chunked, until_close };

  Kind kind = Kind::none;
  // Whether the connection can carry another exchange after this one.
  bool keeps_alive = false;
  std::uint64_t length = 0;  // of Kind::length
};

// Fails with Errc::malformed when the head contradicts itself: lengths that differ or are not
// numbers. Fails with Errc::unsupported for a transfer coding other than `chunked` alone: we never
// offer any (TE), and guessing the framing of a body enables response smuggling. If both
// Content-Length and chunked are present, chunked wins and the connection is not reused.
Result<Framing> framing_of(const ResponseHead& head, RequestKind kind);

}  // namespace gossamer::wire

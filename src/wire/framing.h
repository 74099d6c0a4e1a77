// How long the body of a response is: RFC 9112 section 6.3.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "wire/response_head.h"

namespace gossamer::wire {

// What was asked decides how the answer is framed.
enum class RequestKind : std::uint8_t {
  ordinary,
  head,     // the answer never has a body
  connect,  // after a 2xx answer the connection is a tunnel
};

struct Framing {
  enum class Kind : std::uint8_t { none, length, chunked, until_close };

  Kind kind = Kind::none;
  // Whether the connection may carry another exchange once this one has ended.
  bool keeps_alive = false;
  std::uint64_t length = 0;  // of Kind::length
};

// Fails with Errc::malformed when the head contradicts itself: lengths that differ or are no
// numbers. Fails with Errc::unsupported for a transfer coding other than `chunked` alone: we never
// say that we know any (TE), and a body whose framing is guessed is a way to smuggle responses.
// Content-Length beside chunked is overridden by it, and the connection is not used again.
Result<Framing> framing_of(const ResponseHead& head, RequestKind kind);

}  // namespace gossamer::wire

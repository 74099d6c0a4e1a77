#pragma once

#include <cstdint>

#include "base/time.h"

namespace gossamer::http {

// How long an exchange may take. Each limit catches servers that the others let through: one that
// sends a byte now and then never violates `idle`.
struct Deadlines {
  // For the TLS handshake, and for that with a proxy.
  Duration handshake = 10s;
  // From the request to the first byte of the answer.
  Duration first_byte = 30s;
  // Between two pieces of the answer.
  Duration idle = 20s;
  // For everything, waiting in line for a connection included.
  Duration whole = 300s;
  // An answer that brings fewer bytes per second than this, over `rate_window`, is given up, so
  // that a server cannot hold a connection for `whole` with a byte now and then. 0: any rate is
  // fast enough.
  std::uint64_t bytes_per_second_min = 100;
  Duration rate_window = 20s;
};

}  // namespace gossamer::http

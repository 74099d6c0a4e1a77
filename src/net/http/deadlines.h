#pragma once

#include <cstdint>

#include "base/time.h"

namespace gossamer::http {

// Time limits of an exchange. Each one catches servers that the others miss: a server that sends
// single bytes never violates `idle`.
struct Deadlines {
  // For the TLS handshake, and for that with a proxy.
  Duration handshake = 10s;
  // From the request to the first byte of the response.
  Duration first_byte = 30s;
  // Between two pieces of the response.
  Duration idle = 20s;
  // For everything, including the wait for a connection.
  Duration whole = 300s;
  // A response with fewer bytes per second than this, over `rate_window`, fails, so that a server
  // cannot hold a connection for `whole` with single bytes. 0 accepts any rate.
  std::uint64_t bytes_per_second_min = 100;
  Duration rate_window = 20s;
};

}  // namespace gossamer::http

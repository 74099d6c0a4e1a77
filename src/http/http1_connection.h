#pragma once

#include <memory>

#include "http/connection.h"

namespace gossamer::http {

struct Http1Options {
  Deadlines deadlines;
  wire::ResponseLimits limits;
};

// HTTP/1.1 on a stream, plain or TLS: one exchange at a time. BORROWS: the options.
std::unique_ptr<Connection> make_http1_connection(net::Stream stream, const ConnectionFacts& facts,
                                                  const Http1Options& options);

}  // namespace gossamer::http

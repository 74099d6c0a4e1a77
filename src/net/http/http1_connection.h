#pragma once

#include <memory>

#include "http/connection.h"

namespace gossamer::http {

// HTTP/1.1 on a stream, plain or TLS: one exchange at a time. BORROWS: the options.
std::unique_ptr<Connection> make_http1_connection(net::Stream stream, const ConnectionFacts& facts,
                                                  const ConnectionOptions& options);

}  // namespace gossamer::http

#pragma once

#include <memory>

#include "http/connection.h"

namespace gossamer::http {

// HTTP/2 on a stream, plain or TLS: many concurrent exchanges.
//
// It has no task of its own. Of the exchanges that wait, one reads for all of them; when it leaves,
// another one continues. So a connection without a waiting exchange reads nothing: its server is
// slowed down, and it can be closed at any time. BORROWS: the options.
std::unique_ptr<Connection> make_http2_connection(net::Stream stream, const ConnectionFacts& facts,
                                                  const ConnectionOptions& options);

}  // namespace gossamer::http

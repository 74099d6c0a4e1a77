#pragma once

#include <cstdint>
#include <string>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "http/proxy.h"

namespace gossamer::http {

// Makes a connection to a proxy one to `host`: by CONNECT or by SOCKS 5. Nothing of the server's is
// read; whatever the proxy sends beyond its answer is an error, since the client speaks first.
// The caller sets the deadline. BORROWS: the socket and the proxy.
async::Task<Result<void>> open_tunnel(async::Socket& socket, const Proxy& proxy, std::string host,
                                      std::uint16_t port);

}  // namespace gossamer::http

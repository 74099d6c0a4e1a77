#pragma once

#include <cstdint>
#include <string>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "http/proxy.h"

namespace gossamer::http {

// Turns a connection to a proxy into one to `host`, by CONNECT or by SOCKS 5. It reads no bytes of
// the server; data after the proxy's reply is an error, since the client speaks first. The caller
// sets the deadline. BORROWS: the socket and the proxy.
async::Task<Result<void>> open_tunnel(async::Socket& socket, const Proxy& proxy, std::string host,
                                      std::uint16_t port);

}  // namespace gossamer::http

// Decides whether a request is meant for this server. It does no I/O.
//
// Any web page can rebind its own name to 127.0.0.1, and its scripts may then read what a server
// there answers. The Host field has that other name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/request.h"
#include "server/response.h"

namespace gossamer::server {

// The names of the loopback addresses: "127.0.0.1", "localhost", "[::1]".
std::vector<std::string> loopback_names();

// Returns the host name of the request, one of `names` (without a port). Fails with the answer: 421
// unless it has exactly one Host field, with one of these names and this port.
struct Admission {
  std::string name;  // empty: rejected
  Response rejection = {};
};
Admission admit_host(const Request& request, std::span<const std::string> names,
                     std::uint16_t port);

// "http://127.0.0.1:8080"
std::string origin_of(std::string_view name, std::uint16_t port);

}  // namespace gossamer::server

// Decides which requests come from our own pages. It does no I/O.
//
// Any web page can make a browser send requests to this machine, and any program of this machine
// can send them itself. The Host field keeps out pages that rebind their name to 127.0.0.1, Origin
// and Sec-Fetch-Site keep out pages of other origins, and the token keeps out other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/request.h"
#include "server/response.h"

namespace gossamer::serve {

// The addresses of the two servers.
struct Addresses {
  // Host names without a port: "127.0.0.1", "localhost", "[::1]".
  std::vector<std::string> names;
  std::uint16_t dashboard_port = 0;
  std::uint16_t replay_port = 0;
};

// Returns the answer to a request of the API that does not come from our pages: 403 for another
// origin, 401 without the token. `origin` is that of the dashboard.
std::optional<server::Response> reject_api_request(const server::Request& request,
                                                   std::string_view origin, std::string_view token);

// Compares in a time that depends only on the lengths.
bool equals_in_constant_time(std::string_view a, std::string_view b) noexcept;

// The policies of both servers (docs/serve.md).
std::string dashboard_policy(std::string_view replay_origin);
// `is_inner`: the page is in a frame of another replayed page. That has an opaque origin, which no
// list of ancestors can name, so there is none. The token in the address protects it.
// `allows_scripts`: no other page may show it in a frame, since its scripts could send what they
// read elsewhere without being seen.
std::string replay_policy(std::string_view dashboard_origin, std::string_view replay_origin,
                          bool allows_scripts, bool is_inner = false);

}  // namespace gossamer::serve

#include "server/host_check.h"

#include <fmt/format.h>

#include <utility>

#include "wire/text.h"

namespace gossamer::server {

std::vector<std::string> loopback_names() { return {"127.0.0.1", "localhost", "[::1]"}; }

std::string origin_of(std::string_view name, std::uint16_t port) {
  // Browsers leave out the usual port.
  return port == 80 ? fmt::format("http://{}", name) : fmt::format("http://{}:{}", name, port);
}

Admission admit_host(const Request& request, std::span<const std::string> names,
                     std::uint16_t port) {
  const auto rejected = [](std::string_view why) {
    Response response = plain_response(421, why);
    response.closes = true;
    return Admission{.name = {}, .rejection = std::move(response)};
  };
  if (request.count("Host") != 1) return rejected("a request has exactly one Host");
  const std::string_view host = *request.find("Host");
  for (const std::string& name : names) {
    const bool is_same = wire::equals_ignoring_case(host, fmt::format("{}:{}", name, port)) ||
                         (port == 80 && wire::equals_ignoring_case(host, name));
    if (is_same) return {.name = name, .rejection = {}};
  }
  return rejected("this server does not answer for that host");
}

}  // namespace gossamer::server

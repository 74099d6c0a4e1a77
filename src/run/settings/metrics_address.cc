#include "settings/metrics_address.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/number.h"

namespace gossamer::run {

Result<async::Endpoint> parse_metrics_address(std::string_view text) {
  std::uint64_t port = 0;
  if (base::parse_number(text, port) && port <= UINT16_MAX) {
    return async::Endpoint::loopback(static_cast<std::uint16_t>(port));
  }
  auto endpoint = async::Endpoint::parse(text);
  if (endpoint) return endpoint;
  return fail(Errc::invalid_argument,
              fmt::format("expected a port or an IP address with a port, such as 9100 or "
                          "127.0.0.1:9100, not '{}'",
                          text));
}

}  // namespace gossamer::run

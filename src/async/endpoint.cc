#include "async/endpoint.h"

#include <arpa/inet.h>

#include <charconv>

namespace gossamer::async {

namespace {

bool parse_port(std::string_view text, std::uint16_t& port) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && stop == end;
}

}  // namespace

Endpoint Endpoint::v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d,
                      std::uint16_t port) {
  return {.family = Family::v4, .port = port, .address = {a, b, c, d}};
}

Result<Endpoint> Endpoint::parse(std::string_view text) {
  const auto malformed = [text] {
    return fail(Errc::malformed, "address '" + std::string(text) + "'");
  };
  const auto colon = text.rfind(':');
  if (colon == text.npos) return malformed();
  Endpoint endpoint;
  if (!parse_port(text.substr(colon + 1), endpoint.port)) return malformed();
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    endpoint.family = Family::v6;
    host = host.substr(1, host.size() - 2);
  }
  const int family = endpoint.family == Family::v4 ? AF_INET : AF_INET6;
  if (inet_pton(family, std::string(host).c_str(), endpoint.address.data()) != 1) {
    return malformed();
  }
  return endpoint;
}

std::string Endpoint::to_string() const {
  char text[INET6_ADDRSTRLEN] = {};
  const bool is_v4 = family == Family::v4;
  inet_ntop(is_v4 ? AF_INET : AF_INET6, address.data(), text, sizeof(text));
  const std::string host = is_v4 ? std::string(text) : "[" + std::string(text) + "]";
  return host + ":" + std::to_string(port);
}

}  // namespace gossamer::async

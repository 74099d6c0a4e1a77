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

int family_of(const Endpoint& endpoint) {
  return endpoint.family == Endpoint::Family::v4 ? AF_INET : AF_INET6;
}

// Parses an address of the family of `endpoint`. An embedded NUL would truncate the text for
// inet_pton.
bool read_address(std::string_view text, Endpoint& endpoint) {
  if (text.contains('\0')) return false;
  return inet_pton(family_of(endpoint), std::string(text).c_str(), endpoint.address.data()) == 1;
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
  if (!read_address(host, endpoint)) return malformed();
  return endpoint;
}

Result<Endpoint> Endpoint::parse_address(std::string_view text) {
  Endpoint endpoint;
  if (text.contains(':')) endpoint.family = Family::v6;
  if (!read_address(text, endpoint)) {
    return fail(Errc::malformed, "address '" + std::string(text) + "'");
  }
  return endpoint;
}

std::string Endpoint::address_text() const {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(family_of(*this), address.data(), text, sizeof(text));
  return text;
}

std::string Endpoint::to_string() const {
  const std::string text = address_text();
  const std::string host = family == Family::v4 ? text : "[" + text + "]";
  return host + ":" + std::to_string(port);
}

}  // namespace gossamer::async

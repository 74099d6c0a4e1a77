#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

// The minimal HTTP that the examples need: HTTP/1.0, one request per connection, the end of the
// connection is the end of the page.
namespace tiny_http {

inline std::uint16_t port_from(const char* text) {
  return static_cast<std::uint16_t>(std::strtoul(text, nullptr, 10));
}

inline int usage(const char* text) {
  std::fprintf(stderr, "usage: %s\n", text);
  return 2;
}

inline int failed(const char* what) {
  std::perror(what);
  return 1;
}

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline int start_connecting(int socket, std::uint16_t port) {
  const sockaddr_in address = loopback(port);
  return connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
}

inline std::string request_for(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
}

// Returns the targets of href="/...", the only links of our test site.
inline std::set<std::string> links_in(std::string_view response) {
  constexpr std::string_view kStart = "href=\"";
  std::set<std::string> links;
  for (auto at = response.find(kStart); at != response.npos; at = response.find(kStart, at)) {
    at += kStart.size();
    const auto end = response.find('"', at);
    if (end == response.npos) break;
    const std::string_view link = response.substr(at, end - at);
    if (link.starts_with('/')) links.emplace(link);
  }
  return links;
}

}  // namespace tiny_http

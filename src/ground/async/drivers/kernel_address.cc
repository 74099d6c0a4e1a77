#include "async/drivers/kernel_address.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace gossamer::async {

static_assert(sizeof(sockaddr_in6) <= 32);

std::size_t to_kernel(const Endpoint& endpoint, std::span<std::byte, 32> into) noexcept {
  if (endpoint.family == Endpoint::Family::v4) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(endpoint.port);
    std::memcpy(&address.sin_addr, endpoint.address.data(), sizeof(address.sin_addr));
    std::memcpy(into.data(), &address, sizeof(address));
    return sizeof(address);
  }
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(endpoint.port);
  std::memcpy(&address.sin6_addr, endpoint.address.data(), sizeof(address.sin6_addr));
  std::memcpy(into.data(), &address, sizeof(address));
  return sizeof(address);
}

int kernel_family(const Endpoint& endpoint) noexcept {
  return endpoint.family == Endpoint::Family::v4 ? AF_INET : AF_INET6;
}

namespace {

// Returns 0, or the errno of the step that failed.
int bind_and_listen(int descriptor, Endpoint& endpoint, int backlog) {
  const int on = 1;
  if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0) return errno;
  // Accepted sockets inherit it.
  if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0) return errno;
  alignas(8) std::array<std::byte, 32> raw = {};
  auto* const address = reinterpret_cast<sockaddr*>(raw.data());
  auto length = static_cast<socklen_t>(to_kernel(endpoint, raw));
  if (bind(descriptor, address, length) != 0) return errno;
  if (listen(descriptor, backlog) != 0) return errno;
  if (getsockname(descriptor, address, &length) != 0) return errno;
  // The port has the same position in both structures.
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  in_port_t port = 0;
  std::memcpy(&port, raw.data() + offsetof(sockaddr_in, sin_port), sizeof(port));
  endpoint.port = ntohs(port);
  return 0;
}

// Returns 0, or the errno of the step that failed.
int prepare_client(int descriptor, const std::optional<Endpoint>& source) noexcept {
  const int on = 1;
  if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0) return errno;
  if (!source) return 0;
  // The kernel picks the port when the peer is known; otherwise connections to one peer would use
  // up the ports for all peers.
  if (source->port == 0) {
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on));
  }
  alignas(8) std::array<std::byte, 32> raw = {};
  const auto length = static_cast<socklen_t>(to_kernel(*source, raw));
  return bind(descriptor, reinterpret_cast<const sockaddr*>(raw.data()), length) == 0 ? 0 : errno;
}

}  // namespace

int open_client(const Endpoint& peer, const std::optional<Endpoint>& source,
                Blocking blocking) noexcept {
  const int type = SOCK_STREAM | SOCK_CLOEXEC | (blocking == Blocking::no ? SOCK_NONBLOCK : 0);
  const int descriptor = socket(kernel_family(peer), type, 0);
  if (descriptor < 0) return -errno;
  if (const int error = prepare_client(descriptor, source); error != 0) {
    close(descriptor);
    return -error;
  }
  return descriptor;
}

Result<int> open_listener(Endpoint& endpoint, int backlog) {
  const int descriptor =
      socket(kernel_family(endpoint), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return fail(Error::from_errno(errno, "socket"));
  if (const int error = bind_and_listen(descriptor, endpoint, backlog); error != 0) {
    close(descriptor);
    return fail(Error::from_errno(error));
  }
  return descriptor;
}

}  // namespace gossamer::async

#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "async/endpoint.h"
#include "base/result.h"

// Endpoints in the kernel's spelling, for the drivers. No kernel types in this header.
namespace gossamer::async {

// Writes a sockaddr_in or sockaddr_in6 and gives its length.
std::size_t to_kernel(const Endpoint& endpoint, std::span<std::byte, 32> into) noexcept;

// AF_INET or AF_INET6.
int kernel_family(const Endpoint& endpoint) noexcept;

enum class Blocking : bool { no, yes };

// A socket to connect to `peer` with, bound to `source` if there is one. Gives the descriptor or
// -errno.
int open_client(const Endpoint& peer, const std::optional<Endpoint>& source,
                Blocking blocking) noexcept;

// A non-blocking listening descriptor. Port 0: a free one, which `endpoint` then tells.
Result<int> open_listener(Endpoint& endpoint, int backlog);

}  // namespace gossamer::async

#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "async/endpoint.h"
#include "base/result.h"

// Endpoints as kernel structures, for the drivers. No kernel types in this header.
namespace gossamer::async {

// Writes a sockaddr_in or sockaddr_in6 and returns its length.
std::size_t to_kernel(const Endpoint& endpoint, std::span<std::byte, 32> into) noexcept;

// Returns AF_INET or AF_INET6.
int kernel_family(const Endpoint& endpoint) noexcept;

enum class Blocking : bool { no, yes };

// Opens a socket to connect to `peer`, bound to `source` if there is one. Returns the descriptor or
// -errno.
int open_client(const Endpoint& peer, const std::optional<Endpoint>& source,
                Blocking blocking) noexcept;

// Opens a non-blocking listening descriptor. Port 0 picks a free one and stores it in `endpoint`.
Result<int> open_listener(Endpoint& endpoint, int backlog);

}  // namespace gossamer::async

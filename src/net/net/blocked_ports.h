#pragma once

#include <cstdint>

namespace gossamer::net {

// Returns whether the port belongs to another protocol, to whose server a request can do harm (a
// mail server, a database): the list of the WHATWG Fetch standard ("bad port"), Redis and
// memcached.
bool is_blocked_port(std::uint16_t port) noexcept;

}  // namespace gossamer::net

#pragma once

#include <cstdint>

namespace gossamer::net {

// A port on which something else than HTTP listens, to which a request can do harm (a mail
// server, a database): the list of the WHATWG Fetch standard ("bad port"), Redis and memcached.
bool is_blocked_port(std::uint16_t port) noexcept;

}  // namespace gossamer::net

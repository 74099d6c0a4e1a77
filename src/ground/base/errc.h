// The one vocabulary of failures. Every layer reports with these codes, so that a caller several
// layers up can decide (retry? give up? count as what?) without knowing which layer failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::base {

enum class Errc : std::uint8_t {
  // Our side ended the operation.
  cancelled,  // the caller cancelled it
  timed_out,  // a deadline passed
  closed,     // the thing was closed on our side: a queue, a pool, a file

  // The network.
  refused,        // the peer's host answered that no process listens on the port
  reset,          // the peer reset the connection
  peer_closed,    // the connection ended inside a message
  unreachable,    // no route to the host or its network
  not_connected,  // used a connection before it was made or after it ended
  dns_failed,     // the name has no address, or no server answered
  tls_failed,     // handshake, certificate or record layer

  // The data that others sent.
  malformed,    // bytes from outside broke the grammar
  over_limit,   // one of our limits was reached: header bytes, body bytes, redirects
  unsupported,  // well-formed, but not supported

  // Files and the operating system.
  denied,        // permission, policy or a rule forbids it
  not_found,     // there is no such file, name or entry
  exists,        // it already exists and must not
  no_space,      // the disk or the quota is full
  io_failed,     // the device or the kernel failed
  no_resources,  // descriptors, memory, ports or buffers ran out; it may work later

  // The rest.
  invalid_argument,  // a value from the user or the configuration makes no sense
  unavailable,       // the other side is not ready; try again later
  overloaded,        // the other side says that it gets too much from us
  internal,          // none of the above; worth a report
};

inline constexpr std::size_t kErrcCount = static_cast<std::size_t>(Errc::internal) + 1;

// Returns the enumerator's spelling, e.g. "timed_out". It is stable, because records and statistics
// contain it.
std::string_view name(Errc code) noexcept;

// Returns the code for an errno value; Errc::internal if there is none.
// REQUIRES: error_number > 0.
Errc errc_from_errno(int error_number) noexcept;

}  // namespace gossamer::base

namespace gossamer {
using base::Errc;
}

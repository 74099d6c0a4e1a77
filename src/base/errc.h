// The one vocabulary of failures. Every layer reports with these words, so that a caller
// several layers up can decide (retry? give up? count as what?) without knowing who failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::base {

enum class Errc : std::uint8_t {
  // Ends that somebody on our side chose.
  cancelled,  // the caller asked us to stop
  timed_out,  // a deadline passed
  closed,     // the thing was closed on our side: a queue, a pool, a file

  // The network.
  refused,        // the peer's host answered "nobody listens here"
  reset,          // the peer threw the connection away
  peer_closed,    // the connection ended inside a message
  unreachable,    // no route to the host or its network
  not_connected,  // used a connection before it was made or after it ended
  dns_failed,     // the name has no address, or no server answered
  tls_failed,     // handshake, certificate or record layer

  // What others sent.
  malformed,    // bytes from outside broke the grammar
  over_limit,   // a bound of ours was hit: header bytes, body bytes, redirects
  unsupported,  // well-formed, but we do not speak it

  // Files and the operating system.
  denied,        // permission, policy or a rule forbids it
  not_found,     // there is no such file, name or entry
  exists,        // it is there already and must not be
  no_space,      // the disk or the quota is full
  io_failed,     // the device or the kernel could not do it
  no_resources,  // descriptors, memory, ports or buffers ran out; later it may work

  // The rest.
  invalid_argument,  // a value from the user or the configuration makes no sense
  unavailable,       // the other side says: not now, try again later
  internal,          // none of the above; worth a report
};

inline constexpr std::size_t kErrcCount = static_cast<std::size_t>(Errc::internal) + 1;

// The enumerator's spelling, e.g. "timed_out". Stable: it goes into records and statistics.
std::string_view name(Errc code) noexcept;

// The word for an errno value; Errc::internal for those without a place in the vocabulary.
// REQUIRES: error_number > 0.
Errc errc_from_errno(int error_number) noexcept;

}  // namespace gossamer::base

namespace gossamer {
using base::Errc;
}

#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace gossamer::net {

// Why a TLS connection failed or is not trusted.
enum class TlsFailure : std::uint8_t {
  none,

  // The result of verifying the certificate.
  expired,
  not_yet_valid,
  wrong_name,      // is for other names or addresses
  self_signed,     // signed by itself, and not trusted
  unknown_issuer,  // its chain does not lead to a trusted certificate
  revoked,
  weak,             // the key, signature or hash is not secure
  bad_certificate,  // invalid, or for another purpose

  // Failures of the protocol.
  alert,     // the peer rejected the connection and sent the reason
  not_tls,   // the peer does not speak TLS
  protocol,  // the peer broke the rules of TLS or shares no version with us
};

// Returns the words for it: "certificate has expired".
std::string_view text(TlsFailure failure) noexcept;
// Returns the enumerator's spelling, for records and statistics.
std::string_view name(TlsFailure failure) noexcept;

// Returns the reason of an Errc::tls_failed of a stream or handshake; its detail begins with the
// words for it. Returns TlsFailure::none for other errors.
TlsFailure tls_failure(const Error& error) noexcept;

}  // namespace gossamer::net

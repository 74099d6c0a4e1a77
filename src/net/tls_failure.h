#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace gossamer::net {

// Why a TLS connection is not one that we trust, or came to nothing.
enum class TlsFailure : std::uint8_t {
  none,

  // The certificate, as the verification found it.
  expired,
  not_yet_valid,
  wrong_name,      // is for other names or addresses
  self_signed,     // by itself, and we do not know it
  unknown_issuer,  // its chain does not lead to anybody we trust
  revoked,
  weak,             // key, signature or hash below what is safe today
  bad_certificate,  // broken or meant for something else

  // The conversation.
  alert,     // the peer refused, and said why
  not_tls,   // the peer speaks something else
  protocol,  // the peer speaks TLS, but broke its rules or shares no version with us
};

// The words for it: "certificate has expired".
std::string_view text(TlsFailure failure) noexcept;
// The enumerator's spelling, for records and statistics.
std::string_view name(TlsFailure failure) noexcept;

// What an Errc::tls_failed of a stream or handshake was about; its detail begins with the words
// for it. TlsFailure::none for other errors.
TlsFailure tls_failure(const Error& error) noexcept;

}  // namespace gossamer::net

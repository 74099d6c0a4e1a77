#include "net/tls_failure.h"

#include <array>

namespace gossamer::net {

namespace {

struct Words {
  TlsFailure failure;
  std::string_view name;
  std::string_view text;
};

constexpr std::array kWords = {
    Words{TlsFailure::none, "none", "no failure"},
    Words{TlsFailure::expired, "expired", "certificate has expired"},
    Words{TlsFailure::not_yet_valid, "not_yet_valid", "certificate is not yet valid"},
    Words{TlsFailure::wrong_name, "wrong_name", "certificate is for another name"},
    Words{TlsFailure::self_signed, "self_signed", "certificate is self-signed"},
    Words{TlsFailure::unknown_issuer, "unknown_issuer", "certificate has an unknown issuer"},
    Words{TlsFailure::revoked, "revoked", "certificate was revoked"},
    Words{TlsFailure::weak, "weak", "certificate is too weak"},
    Words{TlsFailure::bad_certificate, "bad_certificate", "certificate is not acceptable"},
    Words{TlsFailure::alert, "alert", "the peer sent an alert"},
    Words{TlsFailure::not_tls, "not_tls", "the peer does not speak TLS"},
    Words{TlsFailure::protocol, "protocol", "TLS protocol failure"},
};

const Words& words(TlsFailure failure) { return kWords[static_cast<std::size_t>(failure)]; }

}  // namespace

std::string_view text(TlsFailure failure) noexcept { return words(failure).text; }

std::string_view name(TlsFailure failure) noexcept { return words(failure).name; }

TlsFailure tls_failure(const Error& error) noexcept {
  if (error != Errc::tls_failed) return TlsFailure::none;
  for (const Words& each : kWords) {
    if (error.detail().starts_with(each.text)) return each.failure;
  }
  return TlsFailure::protocol;
}

}  // namespace gossamer::net

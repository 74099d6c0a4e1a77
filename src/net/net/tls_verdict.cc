#include "net/tls_verdict.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <cstring>
#include <utility>

namespace gossamer::net {

namespace {

Error error_of(TlsFailure failure, std::string_view reason) {
  std::string detail(text(failure));
  const bool is_same = reason == detail ||
                       (failure == TlsFailure::self_signed && reason == "self-signed certificate");
  if (!reason.empty() && !is_same) detail.append(": ").append(reason);
  return {Errc::tls_failed, std::move(detail)};
}

// OpenSSL reports the peer's alert n as reason 1000 + n.
bool is_alert(int reason) { return reason >= SSL_AD_REASON_OFFSET; }

std::string_view alert_text(int reason) {
  return SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET);
}

TlsFailure failure_of_reason(int reason) {
  switch (reason) {
    case SSL_R_WRONG_VERSION_NUMBER:  // the first bytes are not a TLS record
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG: return TlsFailure::not_tls;
    default: return TlsFailure::protocol;
  }
}

}  // namespace

TlsFailure failure_of_verification(long result) noexcept {
  switch (result) {
    case X509_V_OK: return TlsFailure::none;
    case X509_V_ERR_CERT_HAS_EXPIRED: return TlsFailure::expired;
    case X509_V_ERR_CERT_NOT_YET_VALID: return TlsFailure::not_yet_valid;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return TlsFailure::wrong_name;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return TlsFailure::self_signed;
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
    case X509_V_ERR_CERT_REJECTED: return TlsFailure::unknown_issuer;
    case X509_V_ERR_CERT_REVOKED: return TlsFailure::revoked;
    case X509_V_ERR_EE_KEY_TOO_SMALL:
    case X509_V_ERR_CA_KEY_TOO_SMALL:
    case X509_V_ERR_CA_MD_TOO_WEAK: return TlsFailure::weak;
    default: return TlsFailure::bad_certificate;
  }
}

Error verification_error(long result) {
  return error_of(failure_of_verification(result), X509_verify_cert_error_string(result));
}

Error queued_error() {
  const unsigned long code = ERR_peek_last_error();  // the outermost
  ERR_clear_error();
  const int reason = ERR_GET_REASON(code);
  if (ERR_GET_LIB(code) == ERR_LIB_SSL && is_alert(reason)) {
    return error_of(TlsFailure::alert, alert_text(reason));
  }
  const char* const words = ERR_reason_error_string(code);
  return error_of(failure_of_reason(reason), words == nullptr ? "unknown" : words);
}

std::string queued_reason() {
  const unsigned long code = ERR_peek_error();
  // OpenSSL has no text for a failed system call.
  const char* const words = ERR_SYSTEM_ERROR(code) ? strerrordesc_np(ERR_GET_REASON(code))
                                                   : ERR_reason_error_string(code);
  std::string reason = words == nullptr ? "unknown" : words;
  ERR_clear_error();
  return reason;
}

}  // namespace gossamer::net

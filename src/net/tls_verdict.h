// What OpenSSL says about failures, in our words. For the sources that include OpenSSL.
#pragma once

#include <string>

#include "base/error.h"
#include "net/tls_failure.h"

namespace gossamer::net {

// For a verification result, X509_V_OK or X509_V_ERR_...
TlsFailure failure_of_verification(long result) noexcept;

// The error for a certificate that did not pass.
Error verification_error(long result);

// The error for what stands in OpenSSL's error queue of this thread, which it empties.
Error queued_error();

// The first error of the queue as OpenSSL words it, which it empties. For files and options.
std::string queued_reason();

}  // namespace gossamer::net

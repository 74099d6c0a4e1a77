// Translates OpenSSL's failures into ours. For the sources that include OpenSSL.
#pragma once

#include <string>

#include "base/error.h"
#include "net/tls_failure.h"

namespace gossamer::net {

// For a verification result, X509_V_OK or X509_V_ERR_...
TlsFailure failure_of_verification(long result) noexcept;

// Returns the error for a rejected certificate.
Error verification_error(long result);

// Returns the error for the contents of OpenSSL's error queue of this thread, and empties it.
Error queued_error();

// Returns the first error of the queue in OpenSSL's words, and empties it. For files and options.
std::string queued_reason();

}  // namespace gossamer::net

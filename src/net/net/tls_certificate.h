#pragma once

#include "net/tls_context.h"

struct x509_st;  // OpenSSL's X509

namespace gossamer::net {

TlsCertificate describe(const x509_st& certificate);

}  // namespace gossamer::net

#include "net/tls_certificate.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <array>
#include <ctime>
#include <memory>
#include <string>

namespace gossamer::net {

namespace {

struct FreeBio {
  void operator()(BIO* bio) const noexcept { BIO_free(bio); }
};

std::string text_of(const X509_NAME* name) {
  const std::unique_ptr<BIO, FreeBio> memory(BIO_new(BIO_s_mem()));
  if (memory == nullptr || X509_NAME_print_ex(memory.get(), name, 0, XN_FLAG_RFC2253) < 0) {
    return {};
  }
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

WallTime wall_time(const ASN1_TIME* time) {
  std::tm parts = {};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return {.seconds = timegm(&parts), .nanoseconds = 0};
}

std::string sha256_of(const X509& certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned int size = 0;
  if (X509_digest(&certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace

TlsCertificate describe(const X509& certificate) {
  return {.subject = text_of(X509_get_subject_name(&certificate)),
          .issuer = text_of(X509_get_issuer_name(&certificate)),
          .not_before = wall_time(X509_get0_notBefore(&certificate)),
          .not_after = wall_time(X509_get0_notAfter(&certificate)),
          .sha256 = sha256_of(certificate)};
}

}  // namespace gossamer::net

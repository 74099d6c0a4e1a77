#include "tests/support/tls_test_certificates.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/check.h"

namespace gossamer::net {

namespace {

void add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  CHECK(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

template <class Write>
std::string pem(Write write) {
  BIO* const memory = BIO_new(BIO_s_mem());
  write(memory);
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(memory);
  return text;
}

}  // namespace

void FreeTestKey::operator()(evp_pkey_st* key) const noexcept { EVP_PKEY_free(key); }
void FreeTestCertificate::operator()(x509_st* certificate) const noexcept {
  X509_free(certificate);
}

std::string TestIdentity::certificate_pem() const {
  return pem([this](BIO* out) { PEM_write_bio_X509(out, certificate.get()); });
}

std::string TestIdentity::key_pem() const {
  return pem([this](BIO* out) {
    PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
}

TestIdentity make_identity(const TestCertificateOptions& options, const TestIdentity* issuer) {
  static long last_serial = 0;
  TestIdentity made;
  made.key.reset(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  made.certificate.reset(X509_new());
  X509* const certificate = made.certificate.get();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++last_serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), options.valid_from);
  X509_gmtime_adj(X509_getm_notAfter(certificate), options.valid_until);
  X509_set_pubkey(certificate, made.key.get());
  X509_NAME* const name = X509_get_subject_name(certificate);
  const auto* const common_name =
      reinterpret_cast<const unsigned char*>(options.common_name.c_str());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common_name, -1, -1, 0);
  X509_set_issuer_name(certificate,
                       issuer == nullptr ? name : X509_get_subject_name(issuer->certificate.get()));
  add_extension(certificate, NID_basic_constraints,
                options.is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  if (!options.alternative_names.empty()) {
    add_extension(certificate, NID_subject_alt_name, options.alternative_names);
  }
  if (!options.padding.empty()) add_extension(certificate, NID_netscape_comment, options.padding);
  EVP_PKEY* const signer = issuer == nullptr ? made.key.get() : issuer->key.get();
  CHECK(X509_sign(certificate, signer, nullptr) > 0);
  return made;
}

TestFile::TestFile(const std::string& text) : path_(testing::TempDir() + "gossamer_tls_XXXXXX") {
  const int descriptor = mkstemp(path_.data());
  CHECK(descriptor >= 0);
  std::FILE* const file = fdopen(descriptor, "w");
  CHECK(std::fwrite(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
}

TestFile::~TestFile() { std::remove(path_.c_str()); }

std::string TestFile::read() const {
  std::ifstream file(path_);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace gossamer::net

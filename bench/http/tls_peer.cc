#include "bench/http/tls_peer.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/check.h"

namespace gossamer::bench {

namespace {

struct Certified {
  EVP_PKEY* key;
  X509* certificate;
};

Certified certify(const char* name, const Certified* issuer, const char* constraints,
                  const char* alternative_names) {
  static long last_serial = 0;
  const Certified made{EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), X509_new()};
  X509_set_version(made.certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.certificate), ++last_serial);
  X509_gmtime_adj(X509_getm_notBefore(made.certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made.certificate), 3600);
  X509_set_pubkey(made.certificate, made.key);
  X509_NAME* const subject = X509_get_subject_name(made.certificate);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  X509_set_issuer_name(made.certificate,
                       issuer == nullptr ? subject : X509_get_subject_name(issuer->certificate));
  const auto add = [&](int kind, const char* value) {
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
    X509_add_ext(made.certificate, extension, -1);
    X509_EXTENSION_free(extension);
  };
  add(NID_basic_constraints, constraints);
  if (alternative_names != nullptr) add(NID_subject_alt_name, alternative_names);
  CHECK(X509_sign(made.certificate, issuer == nullptr ? made.key : issuer->key, EVP_sha256()) > 0);
  return made;
}

void release(const Certified& certified) {
  EVP_PKEY_free(certified.key);
  X509_free(certified.certificate);
}

}  // namespace

TlsIdentity::TlsIdentity()
    : server_(SSL_CTX_new(TLS_server_method())), client_(SSL_CTX_new(TLS_client_method())) {
  const Certified root = certify("root", nullptr, "critical,CA:TRUE", nullptr);
  const Certified between = certify("between", &root, "critical,CA:TRUE", nullptr);
  const Certified leaf = certify(kName, &between, "critical,CA:FALSE", "DNS:server.example");
  CHECK(SSL_CTX_use_certificate(server_, leaf.certificate) == 1);
  CHECK(SSL_CTX_use_PrivateKey(server_, leaf.key) == 1);
  CHECK(SSL_CTX_add1_chain_cert(server_, between.certificate) == 1);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(client_), root.certificate);
  SSL_CTX_set_verify(client_, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_session_cache_mode(client_, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  BIO* const memory = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(memory, root.certificate);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  authority_pem_.assign(text, static_cast<std::size_t>(size));
  BIO_free(memory);
  for (const Certified& each : {root, between, leaf}) release(each);
}

TlsIdentity::~TlsIdentity() {
  SSL_CTX_free(server_);
  SSL_CTX_free(client_);
}

TlsPeerEngine::TlsPeerEngine(const TlsIdentity& identity, Side side)
    : ssl_(SSL_new(side == Side::server ? identity.server() : identity.client())) {
  SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  if (side == Side::server) {
    SSL_set_accept_state(ssl_);
    return;
  }
  SSL_set_connect_state(ssl_);
  SSL_set_tlsext_host_name(ssl_, TlsIdentity::kName);
  SSL_set1_host(ssl_, TlsIdentity::kName);
}

TlsPeerEngine::~TlsPeerEngine() {
  SSL_set_shutdown(ssl_, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  SSL_free(ssl_);
}

bool TlsPeerEngine::handshake(std::string_view received) {
  if (!received.empty()) {
    BIO_write(SSL_get_rbio(ssl_), received.data(), static_cast<int>(received.size()));
  }
  const int done = SSL_do_handshake(ssl_);
  CHECK(done == 1 || SSL_get_error(ssl_, done) == SSL_ERROR_WANT_READ);
  return done == 1;
}

ssl_session_st* TlsPeerEngine::session() const { return SSL_get1_session(ssl_); }
void TlsPeerEngine::resume(ssl_session_st* session) { SSL_set_session(ssl_, session); }
bool TlsPeerEngine::resumed() const { return SSL_session_reused(ssl_) == 1; }

void TlsPeerEngine::encrypt(std::string_view plain) {
  CHECK(SSL_write(ssl_, plain.data(), static_cast<int>(plain.size())) > 0);
}

std::size_t TlsPeerEngine::decrypt(std::string_view received, MutableBytes room) {
  BIO_write(SSL_get_rbio(ssl_), received.data(), static_cast<int>(received.size()));
  std::size_t size = 0;
  std::size_t read = 0;
  while (SSL_read_ex(ssl_, room.data(), room.size(), &read) == 1) size += read;
  return size;
}

std::string TlsPeerEngine::take_output() {
  char* data = nullptr;
  const long size = BIO_get_mem_data(SSL_get_wbio(ssl_), &data);
  std::string output(data, static_cast<std::size_t>(size));
  BIO_reset(SSL_get_wbio(ssl_));
  return output;
}

}  // namespace gossamer::bench

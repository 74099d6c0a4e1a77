#include "net/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "net/tls_session.h"
#include "net/tls_session_cache.h"
#include "net/tls_verdict.h"

namespace gossamer::net {

class TlsContext::KeyLog {
 public:
  explicit KeyLog(std::FILE* file) : file_(file) {}
  KeyLog(const KeyLog&) = delete;
  KeyLog& operator=(const KeyLog&) = delete;
  ~KeyLog() { std::fclose(file_); }

  static void write(const SSL* ssl, const char* line) {
    auto* const log = static_cast<KeyLog*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
    std::fprintf(log->file_, "%s\n", line);
    std::fflush(log->file_);  // a packet analyser needs it before the first byte
  }

 private:
  std::FILE* file_;
};

namespace {

// A key with a passphrase is rejected; OpenSSL would prompt for it on the terminal.
int no_passphrase(char*, int, int, void*) { return -1; }

// Otherwise every connection would keep the verified chain, which is not used.
int verify_and_drop_chain(X509_STORE_CTX* verification, void*) {
  const int verified = X509_verify_cert(verification);
  X509_STORE_CTX_set0_verified_chain(verification, nullptr);
  return verified > 0 ? 1 : 0;
}

std::unexpected<Error> bad_file(const std::string& file) {
  return fail(Errc::invalid_argument, "cannot load " + file + ": " + queued_reason());
}

// RFC 7301: each name is preceded by its length.
Result<std::string> alpn_list(const std::vector<std::string>& protocols) {
  std::string list;
  for (const std::string& protocol : protocols) {
    if (protocol.empty() || protocol.size() > 255) {
      return fail(Errc::invalid_argument, "an ALPN protocol name must have 1 to 255 bytes");
    }
    list += static_cast<char>(protocol.size());
    list += protocol;
  }
  return list;
}

}  // namespace

void TlsContext::FreeSslContext::operator()(ssl_ctx_st* context) const noexcept {
  SSL_CTX_free(context);
}

TlsContext::TlsContext(TlsOptions options, std::string alpn)
    : options_(std::move(options)),
      alpn_(std::move(alpn)),
      sessions_(std::make_unique<TlsSessionCache>(options_.session_origins_max)) {}

TlsContext::~TlsContext() = default;

std::size_t TlsContext::session_origins() const { return sessions_->origins(); }

void TlsContext::forget_sessions() { sessions_->clear(); }

std::vector<TlsTicket> TlsContext::take_tickets(WallTime now) {
  std::vector<TlsTicket> tickets = sessions_->take_all(now);
  if (options_.insecure) tickets.clear();
  return tickets;
}

void TlsContext::remember(const TlsTicket& ticket, WallTime now) {
  if (!options_.insecure) sessions_->put(ticket, now);
}

Result<std::shared_ptr<TlsContext>> TlsContext::make(TlsOptions options) {
  auto alpn = alpn_list(options.alpn);
  if (!alpn) return fail(std::move(alpn).error(), "in the TLS settings");
  std::shared_ptr<TlsContext> context(new TlsContext(std::move(options), std::move(*alpn)));
  if (!context->names_files()) return context;
  // An invalid file is reported immediately, not with the first connection.
  if (auto ready = context->set_up(); !ready)
    return fail(std::move(ready).error(), "in the TLS settings");
  return context;
}

bool TlsContext::names_files() const {
  return !options_.ca_file.empty() || !options_.client_certificate_file.empty() ||
         !options_.client_key_file.empty() || !options_.key_log_file.empty();
}

Result<void> TlsContext::get_ready() {
  if (ssl_context_ == nullptr) {
    if (auto done = set_up(); !done) return fail(std::move(done).error(), "in the TLS settings");
  }
  return load_system_trust();
}

Result<void> TlsContext::set_up() {
  ERR_clear_error();
  ssl_context_.reset(SSL_CTX_new(TLS_client_method()));
  if (ssl_context_ == nullptr) return fail(Errc::internal, "OpenSSL: " + queued_reason());
  SSL_CTX* const ssl_context = ssl_context_.get();
  SSL_CTX_set_min_proto_version(ssl_context, options_.tls13_only ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_options(ssl_context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(ssl_context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(ssl_context, options_.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(ssl_context, verify_and_drop_chain, nullptr);
  SSL_CTX_set_default_passwd_cb(ssl_context, no_passphrase);
  // Sessions go into our cache, by origin; OpenSSL's own knows only session ids.
  SSL_CTX_set_session_cache_mode(ssl_context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(ssl_context, &TlsSession::remember);
  X509_VERIFY_PARAM* const rules = SSL_CTX_get0_param(ssl_context);
  X509_VERIFY_PARAM_set_hostflags(
      rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  if (options_.verification_time) {
    X509_VERIFY_PARAM_set_time(rules, options_.verification_time->seconds);
  }
  for (auto step : {&TlsContext::load_named_trust, &TlsContext::load_client_certificate,
                    &TlsContext::set_alpn, &TlsContext::set_key_log}) {
    if (auto done = (this->*step)(); !done) return done;
  }
  return {};
}

Result<void> TlsContext::load_named_trust() {
  if (options_.ca_file.empty()) return {};
  if (SSL_CTX_load_verify_file(ssl_context_.get(), options_.ca_file.c_str()) != 1) {
    return bad_file(options_.ca_file);
  }
  return {};
}

Result<void> TlsContext::load_system_trust() {
  if (!options_.trust_system || has_system_trust_) return {};
  if (SSL_CTX_set_default_verify_paths(ssl_context_.get()) != 1) {
    return fail(Errc::invalid_argument,
                "cannot load the system's certificates: " + queued_reason());
  }
  has_system_trust_ = true;
  return {};
}

Result<void> TlsContext::load_client_certificate() {
  const std::string& certificate = options_.client_certificate_file;
  const std::string& key = options_.client_key_file;
  if (certificate.empty() && key.empty()) return {};
  if (certificate.empty() || key.empty()) {
    return fail(Errc::invalid_argument,
                "a client certificate requires two files, the certificate and its key");
  }
  SSL_CTX* const ssl_context = ssl_context_.get();
  if (SSL_CTX_use_certificate_chain_file(ssl_context, certificate.c_str()) != 1) {
    return bad_file(certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(ssl_context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return bad_file(key);
  }
  return {};
}

Result<void> TlsContext::set_alpn() {
  if (alpn_.empty()) return {};
  const auto* const bytes = reinterpret_cast<const unsigned char*>(alpn_.data());
  if (SSL_CTX_set_alpn_protos(ssl_context_.get(), bytes, static_cast<unsigned>(alpn_.size())) !=
      0) {
    return fail(Errc::invalid_argument, "cannot set the ALPN protocols: " + queued_reason());
  }
  return {};
}

Result<void> TlsContext::set_key_log() {
  if (options_.key_log_file.empty()) return {};
  std::FILE* const file = std::fopen(options_.key_log_file.c_str(), "ae");
  if (file == nullptr) return fail(Error::from_errno(errno, "open " + options_.key_log_file));
  key_log_ = std::make_unique<KeyLog>(file);
  SSL_CTX_set_app_data(ssl_context_.get(), key_log_.get());
  SSL_CTX_set_keylog_callback(ssl_context_.get(), &KeyLog::write);
  return {};
}

}  // namespace gossamer::net

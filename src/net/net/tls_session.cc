#include "net/tls_session.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "net/tls_certificate.h"
#include "net/tls_verdict.h"

namespace gossamer::net {

// The BIO between OpenSSL and a session. OpenSSL's memory BIOs keep their buffers; this one reads
// directly from the received bytes and writes directly into the output.
struct TlsSession::Callbacks {
  static TlsSession& session_of(BIO* bio) { return *static_cast<TlsSession*>(BIO_get_data(bio)); }

  static int read(BIO* bio, char* out, int size) {
    BIO_clear_retry_flags(bio);
    Bytes& input = session_of(bio).input_;
    if (input.empty()) {
      BIO_set_retry_read(bio);
      return -1;
    }
    const std::size_t taken = std::min(input.size(), static_cast<std::size_t>(size));
    std::memcpy(out, input.data(), taken);
    input = input.subspan(taken);
    return static_cast<int>(taken);
  }

  static int write(BIO* bio, const char* data, int size) {
    BIO_clear_retry_flags(bio);
    std::vector<std::byte>& output = session_of(bio).output_;
    const Bytes bytes = as_bytes({data, static_cast<std::size_t>(size)});
    output.insert(output.end(), bytes.begin(), bytes.end());
    return size;
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static const BIO_METHOD* method() {
    static const BIO_METHOD* const made = [] {
      BIO_METHOD* const method =
          BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "gossamer session");
      BIO_meth_set_read(method, read);
      BIO_meth_set_write(method, write);
      BIO_meth_set_ctrl(method, control);
      return method;
    }();
    return made;
  }
};

namespace {

// "[::1]" is an address in a URL, "example.org." a name with the root dot; certificates contain
// neither brackets nor the dot.
std::string certificate_name(std::string_view name) {
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  if (name.ends_with('.')) name.remove_suffix(1);
  return std::string(name);
}

// The certificates between the peer's and the root are no longer needed. OpenSSL would keep them
// with the session, several KiB each, and has no function to drop them; but the list can be
// emptied.
void drop_intermediates(SSL* ssl) {
  STACK_OF(X509)* const chain = SSL_get_peer_cert_chain(ssl);
  if (chain == nullptr) return;
  while (X509* const certificate = sk_X509_pop(chain)) X509_free(certificate);
}

// Frees what SSL_MODE_RELEASE_BUFFERS misses: writing a ticket makes OpenSSL allocate 16 KiB, which
// it keeps until the next write. Does nothing in the middle of a record.
void free_buffers(SSL* ssl) {
  static const bool can =
      can_free_buffers(OPENSSL_version_major(), OPENSSL_version_minor(), OPENSSL_version_patch());
  if (can) SSL_free_buffers(ssl);
}

}  // namespace

bool can_free_buffers(unsigned major, unsigned minor, unsigned patch) noexcept {
  if (major > 3) return true;
  constexpr unsigned kPatchMin[] = {14, 6, 2, 1};  // of 3.0, 3.1, 3.2, 3.3
  return minor >= std::size(kPatchMin) || patch >= kPatchMin[minor];
}

void TlsSession::FreeSsl::operator()(ssl_st* ssl) const noexcept { SSL_free(ssl); }

TlsSession::TlsSession(std::shared_ptr<TlsContext> context) : context_(std::move(context)) {}

TlsSession::~TlsSession() {
  // Otherwise OpenSSL treats a connection without close_notify as an attack and makes its session
  // unusable for resumption.
  if (!broken_ && ssl_ != nullptr) {
    SSL_set_shutdown(ssl_.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  }
}

Result<std::unique_ptr<TlsSession>> TlsSession::client(std::shared_ptr<TlsContext> context,
                                                       const TlsPeer& peer) {
  std::unique_ptr<TlsSession> session(new TlsSession(std::move(context)));
  if (auto started = session->start(peer); !started) return fail(std::move(started).error());
  return session;
}

Result<void> TlsSession::start(const TlsPeer& peer) {
  ERR_clear_error();
  if (auto ready = context_->get_ready(); !ready) return ready;
  ssl_.reset(SSL_new(context_->ssl_context_.get()));
  BIO* const bio = BIO_new(Callbacks::method());
  if (ssl_ == nullptr || bio == nullptr) {
    BIO_free(bio);
    return fail(Errc::no_resources, "OpenSSL: " + queued_reason());
  }
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_connect_state(ssl_.get());
  const std::string name = certificate_name(peer.server_name);
  if (auto expected = expect_name(name); !expected) return expected;
  if (!peer.alpn.empty()) {
    const std::string list = static_cast<char>(peer.alpn.size()) + peer.alpn;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(list.data());
    SSL_set_alpn_protos(ssl_.get(), bytes, static_cast<unsigned>(list.size()));
  }
  if (peer.session_key.empty()) return {};
  cache_key_ = TlsSessionCache::key_of(peer.session_key, name);
  if (const SslSession session = context_->sessions_->take(cache_key_)) {
    SSL_set_session(ssl_.get(), session.get());
  }
  return {};
}

Result<void> TlsSession::expect_name(const std::string& name) {
  if (name.empty() || name.find('\0') != std::string::npos) {
    return fail(Errc::invalid_argument, "the server name cannot be used for TLS");
  }
  X509_VERIFY_PARAM* const rules = SSL_get0_param(ssl_.get());
  if (X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str()) == 1) return {};  // no SNI: RFC 6066 s3
  ERR_clear_error();
  if (X509_VERIFY_PARAM_set1_host(rules, name.data(), name.size()) != 1 ||
      SSL_set_tlsext_host_name(ssl_.get(), name.c_str()) != 1) {
    ERR_clear_error();
    return fail(Errc::invalid_argument, "the server name cannot be used for TLS");
  }
  return {};
}

void TlsSession::set_input(Bytes received) {
  idle_bytes_ += received.size();
  if (!kept_.empty()) {
    kept_.insert(kept_.end(), received.begin(), received.end());
    received = kept_;
  }
  input_ = received;
}

void TlsSession::keep_input() {
  kept_ = std::vector<std::byte>(input_.begin(), input_.end());
  input_ = {};
}

Result<bool> TlsSession::handshake(Bytes received) {
  set_input(received);
  if (idle_bytes_ > kHandshakeBytesMax) return fail(Errc::over_limit, "TLS handshake");
  ERR_clear_error();
  const int done = SSL_do_handshake(ssl_.get());
  if (done != 1 && SSL_get_error(ssl_.get(), done) != SSL_ERROR_WANT_READ) return fail(failure());
  keep_input();
  if (done != 1) return false;
  idle_bytes_ = 0;
  has_more_ = !kept_.empty();
  drop_intermediates(ssl_.get());
  if (!has_more_) free_buffers(ssl_.get());
  return true;
}

Error TlsSession::failure() {
  broken_ = true;
  input_ = {};
  kept_ = {};
  const unsigned long code = ERR_peek_last_error();
  if (ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_CERTIFICATE_VERIFY_FAILED) {
    ERR_clear_error();
    return verification_error(SSL_get_verify_result(ssl_.get()));
  }
  return queued_error();
}

std::size_t TlsSession::read_records(MutableBytes room) {
  std::size_t size = 0;
  while (size < room.size()) {
    std::size_t read = 0;
    if (SSL_read_ex(ssl_.get(), room.data() + size, room.size() - size, &read) == 1) {
      size += read;
      continue;
    }
    const int reason = SSL_get_error(ssl_.get(), 0);
    if (reason == SSL_ERROR_ZERO_RETURN) {
      ended_ = true;
      input_ = {};  // bytes after the end are ignored
    } else if (reason != SSL_ERROR_WANT_READ) {
      failed_ = failure();
    }
    has_more_ = false;
    free_buffers(ssl_.get());
    return size;
  }
  has_more_ = true;
  return size;
}

Result<TlsSession::Decrypted> TlsSession::decrypt(Bytes received, MutableBytes room) {
  std::size_t size = 0;
  if (!failed_ && !ended_) {
    set_input(received);
    ERR_clear_error();
    size = read_records(room);
    keep_input();
    if (size > 0) idle_bytes_ = 0;
    if (idle_bytes_ > kIdleBytesMax)
      return fail(Errc::over_limit, "too many TLS records without data");
  }
  if (size == 0 && failed_) return fail(failed_->copy());
  return Decrypted{.size = size, .end = ended_};
}

Result<void> TlsSession::encrypt(Bytes plain) {
  if (broken_) return fail(Errc::tls_failed, "the TLS session was used after it failed");
  ERR_clear_error();
  // Our BIO accepts everything, so the write is complete or fails.
  std::size_t written = 0;
  if (SSL_write_ex(ssl_.get(), plain.data(), plain.size(), &written) != 1) return fail(failure());
  CHECK_EQ(written, plain.size());
  return {};
}

void TlsSession::say_goodbye() {
  if (broken_) return;
  ERR_clear_error();
  static_cast<void>(SSL_shutdown(ssl_.get()));
  ERR_clear_error();
}

std::vector<std::byte> TlsSession::take_output() { return std::exchange(output_, {}); }

TlsNames TlsSession::names() const {
  const SSL_CIPHER* const cipher = SSL_get_current_cipher(ssl_.get());
  const char* const name = cipher == nullptr ? nullptr : SSL_CIPHER_standard_name(cipher);
  return {.protocol = SSL_get_version(ssl_.get()), .cipher = name == nullptr ? "" : name};
}

std::string_view TlsSession::alpn() const {
  const unsigned char* alpn = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &alpn, &size);
  return {reinterpret_cast<const char*>(alpn), size};
}

TlsFacts TlsSession::facts() const {
  SSL* const ssl = ssl_.get();
  TlsFacts facts = {
      .protocol = SSL_get_version(ssl),
      .cipher = SSL_get_cipher_name(ssl),
      .alpn = std::string(alpn()),
      .resumed = SSL_session_reused(ssl) == 1,
      .verification = failure_of_verification(SSL_get_verify_result(ssl)),
      .certificate = std::nullopt,
  };
  if (const X509* const certificate = SSL_get0_peer_certificate(ssl)) {
    facts.certificate = describe(*certificate);
  }
  return facts;
}

int TlsSession::remember(ssl_st* ssl, ssl_session_st* session) {
  const TlsSession& self = Callbacks::session_of(SSL_get_rbio(ssl));
  if (self.cache_key_.empty()) return 0;
  if (SSL_session_reused(ssl) != 1) TlsSessionCache::note_verified(*session);
  self.context_->sessions_->put(self.cache_key_, SslSession(session));
  return 1;
}

}  // namespace gossamer::net

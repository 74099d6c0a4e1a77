#include "tests/support/tls_test_server.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "base/check.h"

namespace gossamer::net {

namespace {

int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned int offered_size, void* argument) {
  const auto& options = *static_cast<const TestServerOptions*>(argument);
  std::string list;
  for (const std::string& each : options.alpn) list += static_cast<char>(each.size()) + each;
  unsigned char* chosen = nullptr;
  const auto* const ours = reinterpret_cast<const unsigned char*>(list.data());
  if (SSL_select_next_proto(&chosen, out_size, ours, static_cast<unsigned>(list.size()), offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  // The selected name is in `list`, which is temporary, so this returns the equal name in the
  // offer.
  for (unsigned int at = 0; at < offered_size; at += offered[at] + 1u) {
    if (std::string_view(reinterpret_cast<const char*>(offered) + at + 1, offered[at]) ==
        std::string_view(reinterpret_cast<const char*>(chosen), *out_size)) {
      *out = offered + at + 1;
    }
  }
  return SSL_TLSEXT_ERR_OK;
}

std::string_view reason() {
  const char* const words = ERR_reason_error_string(ERR_peek_error());
  return words == nullptr ? "unknown" : words;
}

}  // namespace

TestServer::TestServer(const TestIdentity& identity, TestServerOptions options)
    : options_(std::move(options)), ssl_context_(SSL_CTX_new(TLS_server_method())) {
  CHECK(SSL_CTX_use_certificate(ssl_context_, identity.certificate.get()) == 1);
  CHECK(SSL_CTX_use_PrivateKey(ssl_context_, identity.key.get()) == 1);
  if (options_.intermediate != nullptr) {
    CHECK(SSL_CTX_add1_chain_cert(ssl_context_, options_.intermediate->certificate.get()) == 1);
  }
  if (options_.tls12) SSL_CTX_set_max_proto_version(ssl_context_, TLS1_2_VERSION);
  if (!options_.alpn.empty()) SSL_CTX_set_alpn_select_cb(ssl_context_, choose_protocol, &options_);
  if (options_.client_authority != nullptr) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(ssl_context_),
                        options_.client_authority->certificate.get());
    SSL_CTX_set_verify(ssl_context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  constexpr unsigned char kContext[] = "test";
  SSL_CTX_set_session_id_context(ssl_context_, kContext, sizeof kContext);
}

TestServer::~TestServer() { SSL_CTX_free(ssl_context_); }

TestServerSession::TestServerSession(TestServer& server) : ssl_(SSL_new(server.ssl_context())) {
  SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(ssl_);
}

TestServerSession::~TestServerSession() { SSL_free(ssl_); }

Result<bool> TestServerSession::handshake(std::string_view received) {
  ERR_clear_error();
  BIO_write(SSL_get_rbio(ssl_), received.data(), static_cast<int>(received.size()));
  const int done = SSL_do_handshake(ssl_);
  if (done == 1) return true;
  if (SSL_get_error(ssl_, done) == SSL_ERROR_WANT_READ) return false;
  return fail(Errc::tls_failed, std::string(reason()));
}

Result<std::string> TestServerSession::decrypt(std::string_view received) {
  ERR_clear_error();
  BIO_write(SSL_get_rbio(ssl_), received.data(), static_cast<int>(received.size()));
  std::string text;
  std::string block(16 * 1024, '\0');
  for (;;) {
    const int read = SSL_read(ssl_, block.data(), static_cast<int>(block.size()));
    if (read > 0) {
      text.append(block, 0, static_cast<std::size_t>(read));
      continue;
    }
    const int why = SSL_get_error(ssl_, read);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_ZERO_RETURN) return text;
    return fail(Errc::tls_failed, std::string(reason()));
  }
}

void TestServerSession::encrypt(std::string_view plain) {
  if (!plain.empty()) CHECK(SSL_write(ssl_, plain.data(), static_cast<int>(plain.size())) > 0);
}

void TestServerSession::say_goodbye() { SSL_shutdown(ssl_); }

void TestServerSession::ask_for_new_keys() {
  CHECK(SSL_key_update(ssl_, SSL_KEY_UPDATE_REQUESTED) == 1);
  CHECK(SSL_do_handshake(ssl_) == 1);
}

bool TestServerSession::ask_to_renegotiate() {
  return SSL_renegotiate(ssl_) == 1 && SSL_do_handshake(ssl_) == 1;
}

void TestServerSession::send_ticket() {
  CHECK(SSL_new_session_ticket(ssl_) == 1);
  CHECK(SSL_do_handshake(ssl_) == 1);
}

bool TestServerSession::ended() const {
  return (SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN) != 0;
}

bool TestServerSession::resumed() const { return SSL_session_reused(ssl_) == 1; }

std::string TestServerSession::server_name() const {
  const char* const name = SSL_get_servername(ssl_, TLSEXT_NAMETYPE_host_name);
  return name == nullptr ? "" : name;
}

std::string TestServerSession::take_output() {
  char* data = nullptr;
  const long size = BIO_get_mem_data(SSL_get_wbio(ssl_), &data);
  std::string output(data, static_cast<std::size_t>(size));
  BIO_reset(SSL_get_wbio(ssl_));
  return output;
}

async::Task<Result<void>> TestServerEnd::flush() {
  std::string output = session.take_output();
  const bool is_cut = output.size() > bytes_left;
  if (is_cut) output.resize(bytes_left);
  bytes_left -= output.size();
  if (!output.empty()) {
    if (auto sent = co_await socket.send(as_bytes(output)); !sent) co_return sent;
  }
  if (is_cut) co_return fail(Errc::closed, "cut");
  co_return Result<void>();
}

async::Task<Result<void>> TestServerEnd::accept() {
  for (;;) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(Errc::peer_closed, "handshake");
    auto done = session.handshake(as_text(lent->bytes()));
    *lent = async::Lent();
    if (auto sent = co_await flush(); !sent) co_return sent;
    if (!done) co_return fail(std::move(done).error());
    if (*done) co_return Result<void>();
  }
}

async::Task<Result<void>> TestServerEnd::write(std::string text) {
  session.encrypt(text);
  co_return co_await flush();
}

async::Task<Result<std::string>> TestServerEnd::read(std::size_t bytes) {
  auto already = session.decrypt("");  // what came with the end of the handshake
  if (!already) co_return already;
  std::string text = std::move(*already);
  while (text.size() < bytes && !session.ended()) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(Errc::peer_closed, "truncated");
    auto some = session.decrypt(as_text(lent->bytes()));
    if (!some) co_return some;
    text += *some;
  }
  co_return text;
}

}  // namespace gossamer::net

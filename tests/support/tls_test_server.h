// The other side of TLS tests: an OpenSSL server on memory BIOs, without our engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/socket.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "tests/support/tls_test_certificates.h"

struct ssl_ctx_st;
struct ssl_st;

namespace gossamer::net {

struct TestServerOptions {
  bool tls12 = false;                              // at most TLS 1.2
  std::vector<std::string> alpn;                   // accepted protocols, the best first
  const TestIdentity* client_authority = nullptr;  // requires a certificate signed by this one
  const TestIdentity* intermediate = nullptr;      // sent with the certificate
};

class TestServer {
 public:
  TestServer(const TestIdentity& identity, TestServerOptions options);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  ssl_ctx_st* ssl_context() const { return ssl_context_; }
  const TestServerOptions& options() const { return options_; }

 private:
  TestServerOptions options_;
  ssl_ctx_st* ssl_context_;
};

// One conversation.
class TestServerSession {
 public:
  explicit TestServerSession(TestServer& server);
  ~TestServerSession();
  TestServerSession(const TestServerSession&) = delete;
  TestServerSession& operator=(const TestServerSession&) = delete;

  // Feeds bytes of the client. Returns true when the handshake is complete; fails with OpenSSL's
  // message.
  Result<bool> handshake(std::string_view received);
  // The decrypted data.
  Result<std::string> decrypt(std::string_view received);
  void encrypt(std::string_view plain);
  void say_goodbye();
  void ask_for_new_keys();    // TLS 1.3: KeyUpdate that requests one in return
  bool ask_to_renegotiate();  // TLS 1.2
  void send_ticket();         // TLS 1.3
  bool ended() const;         // the client sent close_notify
  bool resumed() const;
  std::string server_name() const;

  std::string take_output();

 private:
  ssl_st* ssl_;
};

// A connection that speaks TLS as the server. Coroutines BORROW it until they are over.
struct TestServerEnd {
  TestServerEnd(async::Socket connection, TestServer& server)
      : socket(std::move(connection)), session(server) {}

  async::Task<Result<void>> accept();
  async::Task<Result<void>> flush();
  async::Task<Result<void>> write(std::string text);
  // Reads until the client sends close_notify or a number of bytes is reached.
  async::Task<Result<std::string>> read(std::size_t bytes);

  async::Socket socket;
  TestServerSession session;
  // Fails with Errc::closed after this many bytes.
  std::size_t bytes_left = std::string::npos;
};

}  // namespace gossamer::net

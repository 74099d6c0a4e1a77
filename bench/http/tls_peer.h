// Both sides of OpenSSL on memory BIOs: the peer of the TLS benchmarks, and the floor.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"

struct ssl_ctx_st;
struct ssl_session_st;
struct ssl_st;

namespace gossamer::bench {

// A server's certificate (P-256) with a typical chain: an authority and one intermediate.
class TlsIdentity {
 public:
  static constexpr const char* kName = "server.example";

  TlsIdentity();
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;

  ssl_ctx_st* server() const { return server_; }
  ssl_ctx_st* client() const { return client_; }
  std::string authority_pem() const { return authority_pem_; }

 private:
  ssl_ctx_st* server_;
  ssl_ctx_st* client_;
  std::string authority_pem_;
};

class TlsPeerEngine {
 public:
  enum class Side : bool { server, client };

  TlsPeerEngine(const TlsIdentity& identity, Side side);
  ~TlsPeerEngine();
  TlsPeerEngine(const TlsPeerEngine&) = delete;
  TlsPeerEngine& operator=(const TlsPeerEngine&) = delete;

  // True when it is complete.
  bool handshake(std::string_view received);
  // The last session of the server; the caller frees it.
  ssl_session_st* session() const;
  void resume(ssl_session_st* session);
  bool resumed() const;

  void encrypt(std::string_view plain);
  // Decrypts repeatedly into `room` and returns the number of bytes.
  std::size_t decrypt(std::string_view received, MutableBytes room);
  std::string take_output();

 private:
  ssl_st* ssl_;
};

}  // namespace gossamer::bench

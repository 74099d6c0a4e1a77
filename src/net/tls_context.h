// TLS settings that connections share. No OpenSSL in this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "net/tls_failure.h"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace gossamer::net {

class TlsSessionCache;

struct TlsOptions {
  // Trust the certificates that the system trusts.
  bool trust_system = true;
  // A PEM file with further certificates to trust; empty for none.
  std::string ca_file;
  // PEM files with a certificate (and its chain) and its key, for servers that ask for one; both
  // or none.
  std::string client_certificate_file;
  std::string client_key_file;
  // Accept any certificate. What is wrong with it is still told (TlsFacts::verification).
  bool insecure = false;
  // TLS 1.2 and 1.3, or 1.3 alone.
  bool tls13_only = false;
  // Protocols to offer, the best first ("h2", "http/1.1"); none: the extension is not sent.
  std::vector<std::string> alpn;
  // Secrets of all connections are appended here, for those who read the traffic with a packet
  // analyser (SSLKEYLOGFILE). Anybody who has this file can decrypt them. Empty for none.
  std::string key_log_file;
  // Origins whose sessions are remembered for resumption, the least recently used forgotten first;
  // 0: no resumption. A session takes about 5 KiB.
  std::size_t session_origins_max = 1024;
  // The time that certificates are held against. Nothing: the machine's clock.
  std::optional<WallTime> verification_time;
};

// Whom a handshake is with.
struct TlsPeer {
  // The name or address (also in brackets) that the certificate must be for.
  std::string server_name;
  // Connections with the same key may resume each other's sessions if server_name is the same too:
  // the origin, and what else sets connections apart. Empty: neither resumes nor remembers.
  std::string session_key;
};

// The certificate that the peer showed.
struct TlsCertificate {
  std::string subject;  // RFC 2253, as the certificate says it: escape it before you print it
  std::string issuer;
  WallTime not_before;
  WallTime not_after;
  std::string sha256;  // of the certificate, in hexadecimal
};

// What a handshake agreed on.
struct TlsFacts {
  std::string protocol;                        // "TLSv1.3"
  std::string cipher;                          // "TLS_AES_256_GCM_SHA384"
  std::string alpn;                            // empty: none was agreed on
  bool resumed = false;                        // an earlier session went on
  TlsFailure verification = TlsFailure::none;  // else: accepted because of `insecure`
  std::optional<TlsCertificate> certificate;   // when resumed, that of the first handshake
};

// Settings, trusted certificates and remembered sessions, for the connections of one loop. Not for
// several threads at once.
class TlsContext {
 public:
  // Reads the files that the options name. Fails with Errc::invalid_argument, naming the file or
  // option.
  static Result<std::shared_ptr<TlsContext>> make(TlsOptions options);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  const TlsOptions& options() const { return options_; }
  // Origins with a session that could be resumed.
  std::size_t session_origins() const;
  void forget_sessions();

 private:
  friend class TlsSession;
  class KeyLog;

  TlsContext(TlsOptions options, std::string alpn);
  bool names_files() const;
  // What can wait until the first session: to set OpenSSL up takes 3 ms, to read what the system
  // trusts some 50 ms, which is longer than many a crawl without TLS.
  Result<void> get_ready();
  Result<void> set_up();
  Result<void> load_named_trust();
  Result<void> load_system_trust();
  Result<void> load_client_certificate();
  Result<void> set_alpn();
  Result<void> set_key_log();

  struct FreeSslContext {
    void operator()(ssl_ctx_st* context) const noexcept;
  };

  TlsOptions options_;
  std::string alpn_;  // as the handshake has it
  std::unique_ptr<TlsSessionCache> sessions_;
  std::unique_ptr<KeyLog> key_log_;
  std::unique_ptr<ssl_ctx_st, FreeSslContext> ssl_context_;  // nullptr: no session was begun
  bool has_system_trust_ = false;
};

}  // namespace gossamer::net

// TLS settings that connections share. No OpenSSL in this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "net/tls_failure.h"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace gossamer::net {

class TlsSessionCache;

struct TlsOptions {
  // Trust the system's certificates.
  bool trust_system = true;
  // A PEM file with more trusted certificates; empty for none.
  std::string ca_file;
  // PEM files with a certificate (and its chain) and its key, for servers that request one; both or
  // none.
  std::string client_certificate_file;
  std::string client_key_file;
  // Accept any certificate. Its faults are still reported (TlsFacts::verification).
  bool insecure = false;
  // TLS 1.2 and 1.3, or only 1.3.
  bool tls13_only = false;
  // Protocols to offer, the best first ("h2", "http/1.1"); if empty, the extension is not sent.
  std::vector<std::string> alpn;
  // Secrets of all connections are appended to this file, for reading the traffic with a packet
  // analyser (SSLKEYLOGFILE). Anyone with this file can decrypt them. Empty for none.
  std::string key_log_file;
  // Origins whose sessions are remembered for resumption; the least recently used is dropped first.
  // 0 disables resumption. A session takes about 5 KiB.
  std::size_t session_origins_max = 1024;
  // The time for checking certificates. Nothing: the machine's clock.
  std::optional<WallTime> verification_time;
};

// The peer of a handshake.
struct TlsPeer {
  // The name or address (also in brackets) that the certificate must match.
  std::string server_name;
  // Connections with the same key may resume each other's sessions if server_name is the same too:
  // the origin, and whatever else distinguishes connections. Empty: no resumption.
  std::string session_key;
  // The only protocol to offer, instead of TlsOptions::alpn. Empty: those of the options.
  std::string alpn = {};
};

// The peer's certificate.
struct TlsCertificate {
  std::string subject;  // RFC 2253, from the certificate: escape it before printing
  std::string issuer;
  WallTime not_before;
  WallTime not_after;
  std::string sha256;  // of the certificate, in hexadecimal
};

// The version and cipher of a connection. OpenSSL has the texts for as long as the program runs.
struct TlsNames {
  std::string_view protocol;  // "TLSv1.3"
  std::string_view cipher;    // as in the standards: "TLS_AES_256_GCM_SHA384"
};

// The result of a handshake.
struct TlsFacts {
  std::string protocol;                        // "TLSv1.3"
  std::string cipher;                          // "TLS_AES_256_GCM_SHA384"
  std::string alpn;                            // empty: none was negotiated
  bool resumed = false;                        // an earlier session was resumed
  TlsFailure verification = TlsFailure::none;  // otherwise: accepted because of `insecure`
  std::optional<TlsCertificate> certificate;   // if resumed, that of the first handshake
};

// A session that a later process can resume. It is secret: with it, others could read the
// connections that resume it.
struct TlsTicket {
  std::string key;   // of the origin; only connections with the same key may use it
  std::string host;  // as in the certificate
  WallTime expires;
  std::string session;  // in OpenSSL's encoding
};

// Settings, trusted certificates and remembered sessions, for the connections of one loop. It must
// not be used by several threads.
class TlsContext {
 public:
  // Reads the files of the options. Fails with Errc::invalid_argument, naming the file or option.
  static Result<std::shared_ptr<TlsContext>> make(TlsOptions options);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  const TlsOptions& options() const { return options_; }
  // Returns the number of origins with a session that can be resumed.
  std::size_t session_origins() const;
  void forget_sessions();

  // Sessions are resumed without another check of the certificate, so they are kept for a later
  // process only for this time, and not longer than the certificate is valid.
  static constexpr Duration kTicketLifeMax = 24h;
  // Forgets all sessions and returns the newest of each origin, the most recently used first.
  // Returns none with `insecure`, because their certificates were not checked.
  std::vector<TlsTicket> take_tickets(WallTime now);
  // Remembers a session of an earlier process. Ignores it if it has expired or is malformed, and
  // with `insecure`. REQUIRES: the options that concern trust are the same as then.
  void remember(const TlsTicket& ticket, WallTime now);

 private:
  friend class TlsSession;
  class KeyLog;

  TlsContext(TlsOptions options, std::string alpn);
  bool names_files() const;
  // Does the work that can wait until the first session: OpenSSL's set-up takes 3 ms, reading the
  // system's certificates about 50 ms, which is longer than many crawls without TLS.
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
  std::string alpn_;  // in the handshake's format
  std::unique_ptr<TlsSessionCache> sessions_;
  std::unique_ptr<KeyLog> key_log_;
  std::unique_ptr<ssl_ctx_st, FreeSslContext> ssl_context_;  // nullptr before the first session
  bool has_system_trust_ = false;
};

}  // namespace gossamer::net

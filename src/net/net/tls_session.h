#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "net/tls_context.h"
#include "net/tls_session_cache.h"

struct bio_st;  // OpenSSL's BIO
struct ssl_st;  // OpenSSL's SSL

namespace gossamer::net {

// Returns whether SSL_free_buffers() is safe in this version of OpenSSL. Earlier ones freed a
// buffer with the header of a record whose body had not arrived (CVE-2024-4741).
bool can_free_buffers(unsigned major, unsigned minor, unsigned patch) noexcept;

// The client's side of one TLS connection, without the socket: bytes in, bytes out.
//
//            received                         plain
//   peer --> [ handshake() / decrypt() ] --> reader
//   peer <-- [ output()                ] <-- encrypt(), say_goodbye()
//
// After every call, successful or not, output() must be sent to the peer. A waiting session holds
// neither ciphertext nor plaintext, and no buffers for them.
// BOUND: the bytes of one call in each direction, and one record.
class TlsSession {
 public:
  // More than any honest handshake needs: the certificates can have 100 KiB.
  static constexpr std::size_t kHandshakeBytesMax = 256 * 1024;
  // After this many bytes without any data, the peer is only keeping us busy.
  static constexpr std::size_t kIdleBytesMax = 1024 * 1024;

  // Fails with Errc::invalid_argument if the peer's name is invalid.
  static Result<std::unique_ptr<TlsSession>> client(std::shared_ptr<TlsContext> context,
                                                    const TlsPeer& peer);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Continues with the received bytes; none at first. Returns true when the handshake is complete;
  // bytes after it are kept for decrypt().
  Result<bool> handshake(Bytes received);

  struct Decrypted {
    std::size_t size = 0;  // of the data in `room`
    bool end = false;      // the peer has ended the stream after that
  };
  // Neither bytes nor the end means that more input is needed. Data that does not fit is kept for
  // the next call.
  Result<Decrypted> decrypt(Bytes received, MutableBytes room);
  // Returns whether there is something to decrypt or report before more input is needed.
  bool has_more() const { return ended_ || has_more_ || failed_.has_value(); }

  // Returns whether the peer has ended the stream.
  bool ended() const { return ended_; }

  // REQUIRES: the handshake is complete.
  Result<void> encrypt(Bytes plain);
  // Sends close_notify, unless the session has failed.
  void say_goodbye();

  bool has_output() const { return !output_.empty(); }
  // Returns the ciphertext for the peer.
  std::vector<std::byte> take_output();

  // REQUIRES: the handshake is complete.
  TlsFacts facts() const;
  TlsNames names() const;
  // Returns the negotiated protocol; empty if there is none.
  std::string_view alpn() const;

  // For the context: OpenSSL calls it with every session that can be resumed. Returns 1 if it is
  // kept.
  static int remember(ssl_st* ssl, ssl_session_st* session);

 private:
  struct Callbacks;
  struct FreeSsl {
    void operator()(ssl_st* ssl) const noexcept;
  };

  explicit TlsSession(std::shared_ptr<TlsContext> context);
  Result<void> start(const TlsPeer& peer);
  Result<void> expect_name(const std::string& name);
  void set_input(Bytes received);
  // Keeps the unused input for the next call.
  void keep_input();
  // Decrypts until more input is needed, the room is full, or the stream ends.
  std::size_t read_records(MutableBytes room);
  Error failure();

  std::shared_ptr<TlsContext> context_;
  Bytes input_;                  // of the current call
  std::vector<std::byte> kept_;  // of earlier calls
  std::vector<std::byte> output_;
  std::string cache_key_;        // empty: sessions are not remembered
  std::optional<Error> failed_;  // reported after the bytes before it
  std::size_t idle_bytes_ = 0;   // since the last data
  bool ended_ = false;
  bool has_more_ = false;
  bool broken_ = false;  // OpenSSL must not be called again
  std::unique_ptr<ssl_st, FreeSsl> ssl_;
};

}  // namespace gossamer::net

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "net/tls_context.h"
#include "net/tls_session_cache.h"

struct bio_st;  // OpenSSL's BIO
struct ssl_st;  // OpenSSL's SSL

namespace gossamer::net {

// The client's side of one TLS conversation, without the connection: bytes in, bytes out.
//
//            received                         plain
//   peer --> [ handshake() / decrypt() ] --> reader
//   peer <-- [ output()                ] <-- encrypt(), say_goodbye()
//
// After every call, success or not, what output() has is for the peer. A conversation that waits
// holds neither ciphertext nor plaintext, and no buffer for them.
// BOUND: one call's worth of bytes in each direction, and one record.
class TlsSession {
 public:
  // More than any honest handshake needs: the certificates may have 100 KiB.
  static constexpr std::size_t kHandshakeBytesMax = 256 * 1024;
  // So many bytes without a single one for the reader, and the peer is only keeping us busy.
  static constexpr std::size_t kIdleBytesMax = 1024 * 1024;

  // Fails with Errc::invalid_argument when the peer's name cannot be one.
  static Result<std::unique_ptr<TlsSession>> client(std::shared_ptr<TlsContext> context,
                                                    const TlsPeer& peer);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Goes on with what has arrived; nothing at first. True when the handshake is complete; bytes
  // behind it are kept for decrypt().
  Result<bool> handshake(Bytes received);

  struct Decrypted {
    std::size_t size = 0;  // of what stands in `room` now
    bool end = false;      // and then the peer said that it sends no more
  };
  // Neither bytes nor the end: more has to arrive. What finds no room is kept for the next call.
  Result<Decrypted> decrypt(Bytes received, MutableBytes room);
  // There is something to decrypt, or to say, before more has to arrive.
  bool has_more() const { return ended_ || has_more_ || failed_.has_value(); }

  // The peer has said that it sends no more.
  bool ended() const { return ended_; }

  // REQUIRES: the handshake is complete.
  Result<void> encrypt(Bytes plain);
  // close_notify, unless the conversation has failed.
  void say_goodbye();

  bool has_output() const { return !output_.empty(); }
  // Hands over the ciphertext for the peer.
  std::vector<std::byte> take_output();

  // REQUIRES: the handshake is complete.
  TlsFacts facts() const;

  // For the context: OpenSSL calls it with every session that could be resumed. True (1): kept.
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
  // What the call could not take is kept for the next.
  void keep_input();
  // Decrypts until more has to arrive, the room is full, or it is over.
  std::size_t read_records(MutableBytes room);
  Error failure();

  std::shared_ptr<TlsContext> context_;
  Bytes input_;                  // of the call that runs
  std::vector<std::byte> kept_;  // of calls before
  std::vector<std::byte> output_;
  std::string cache_key_;        // empty: sessions are not remembered
  std::optional<Error> failed_;  // told after the bytes before it were
  std::size_t idle_bytes_ = 0;   // since the reader got something
  bool ended_ = false;
  bool has_more_ = false;
  bool broken_ = false;  // OpenSSL wants no more calls
  std::unique_ptr<ssl_st, FreeSsl> ssl_;
};

}  // namespace gossamer::net

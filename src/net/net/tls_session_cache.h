#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "net/tls_context.h"

struct ssl_session_st;  // OpenSSL's SSL_SESSION

namespace gossamer::net {

struct FreeSslSession {
  void operator()(ssl_session_st* session) const noexcept;
};
using SslSession = std::unique_ptr<ssl_session_st, FreeSslSession>;

// Sessions that can be resumed, by origin. BOUND: a number of origins, of which the least recently
// used is dropped first, and kPerOrigin sessions of each.
class TlsSessionCache {
 public:
  // Servers of TLS 1.3 send about two tickets per connection, and each is valid once.
  static constexpr std::size_t kPerOrigin = 4;

  explicit TlsSessionCache(std::size_t origins_max) : origins_max_(origins_max) {}

  // The newest session is used first; beyond kPerOrigin the oldest is dropped.
  void put(std::string_view key, SslSession session);
  // Returns null if there is none. A TLS 1.3 session is returned once, so that an eavesdropper
  // cannot link two connections; a TLS 1.2 session is kept.
  SslSession take(std::string_view key);

  // The certificate of the session was checked just now. OpenSSL passes this on to sessions that
  // follow from it, which do not check it again.
  static void note_verified(ssl_session_st& session);

  // Empties the cache. See TlsContext::take_tickets().
  std::vector<TlsTicket> take_all(WallTime now);
  // See TlsContext::remember().
  void put(const TlsTicket& ticket, WallTime now);

  // Returns the key of a host's sessions: a resumed session is not verified again, so it includes
  // the name that the certificate matched.
  static std::string key_of(std::string_view session_key, std::string_view host);

  std::size_t origins() const { return entries_.size(); }
  void clear();

 private:
  struct Entry {
    std::string key;
    std::vector<SslSession> sessions;  // newest last
  };
  using Entries = std::list<Entry>;  // most recently used first

  std::size_t origins_max_;
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> places_;  // views the entries' keys
};

}  // namespace gossamer::net

#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct ssl_session_st;  // OpenSSL's SSL_SESSION

namespace gossamer::net {

struct FreeSslSession {
  void operator()(ssl_session_st* session) const noexcept;
};
using SslSession = std::unique_ptr<ssl_session_st, FreeSslSession>;

// Sessions that could be resumed, by origin. BOUND: so many origins, the least recently used goes
// first, and kPerOrigin sessions of each.
class TlsSessionCache {
 public:
  // Servers of TLS 1.3 give two tickets or so per connection, and each is good for one.
  static constexpr std::size_t kPerOrigin = 4;

  explicit TlsSessionCache(std::size_t origins_max) : origins_max_(origins_max) {}

  // The newest session goes first; beyond kPerOrigin the oldest goes away.
  void put(std::string_view key, SslSession session);
  // Null when there is none. What TLS 1.3 gave is given out once, so that nobody who listens can
  // tie two connections together; what TLS 1.2 gave stays.
  SslSession take(std::string_view key);

  std::size_t origins() const { return entries_.size(); }
  void clear();

 private:
  struct Entry {
    std::string key;
    std::vector<SslSession> sessions;  // the newest last
  };
  using Entries = std::list<Entry>;  // the last used first

  std::size_t origins_max_;
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> places_;  // views the entries' keys
};

}  // namespace gossamer::net

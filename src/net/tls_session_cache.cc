#include "net/tls_session_cache.h"

#include <openssl/ssl.h>

#include <utility>

namespace gossamer::net {

namespace {

bool is_single_use(const SSL_SESSION& session) {
  return SSL_SESSION_get_protocol_version(&session) >= TLS1_3_VERSION;
}

}  // namespace

void FreeSslSession::operator()(ssl_session_st* session) const noexcept {
  SSL_SESSION_free(session);
}

void TlsSessionCache::put(std::string_view key, SslSession session) {
  if (origins_max_ == 0) return;
  auto place = places_.find(key);
  if (place == places_.end()) {
    entries_.push_front({.key = std::string(key), .sessions = {}});
    place = places_.emplace(entries_.front().key, entries_.begin()).first;
  } else {
    entries_.splice(entries_.begin(), entries_, place->second);
  }
  std::vector<SslSession>& sessions = place->second->sessions;
  if (!is_single_use(*session)) sessions.clear();
  if (sessions.size() == kPerOrigin) sessions.erase(sessions.begin());
  sessions.push_back(std::move(session));
  if (entries_.size() > origins_max_) {
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

SslSession TlsSessionCache::take(std::string_view key) {
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  const Entries::iterator entry = place->second;
  entries_.splice(entries_.begin(), entries_, entry);
  ssl_session_st* const newest = entry->sessions.back().get();
  if (!is_single_use(*newest)) {
    SSL_SESSION_up_ref(newest);
    return SslSession(newest);
  }
  SslSession session = std::move(entry->sessions.back());
  entry->sessions.pop_back();
  if (entry->sessions.empty()) {
    places_.erase(place);
    entries_.erase(entry);
  }
  return session;
}

void TlsSessionCache::clear() {
  places_.clear();
  entries_.clear();
}

}  // namespace gossamer::net

#include "net/tls_session_cache.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/check.h"
#include "net/tls_certificate.h"

namespace gossamer::net {

namespace {

bool is_single_use(const SSL_SESSION& session) {
  return SSL_SESSION_get_protocol_version(&session) >= TLS1_3_VERSION;
}

// BOUND: the encoded size of a session, most of which is the certificate.
constexpr std::size_t kTicketBytesMax = 16 * 1024;

// The place in a session for the time of its last full handshake, in seconds.
int verified_index() {
  static const int index = SSL_SESSION_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

void set_verified(SSL_SESSION& session, std::int64_t seconds) {
  SSL_SESSION_set_ex_data(&session, verified_index(), reinterpret_cast<void*>(seconds));
}

std::int64_t verified_at(const SSL_SESSION& session) {
  return reinterpret_cast<std::int64_t>(SSL_SESSION_get_ex_data(&session, verified_index()));
}

// When it was made, in seconds. OpenSSL before 3.3 has only the older function.
std::int64_t begin_of(const SSL_SESSION& session) {
#if OPENSSL_VERSION_NUMBER >= 0x30300000L
  return SSL_SESSION_get_time_ex(&session);
#else
  return SSL_SESSION_get_time(&session);
#endif
}

// Returns when a session must no longer be resumed.
WallTime end_of(const SSL_SESSION& session) {
  const WallTime begin = {.seconds = begin_of(session)};
  const unsigned long hint = SSL_SESSION_get_ticket_lifetime_hint(&session);
  const std::int64_t life =
      hint > 0 ? static_cast<std::int64_t>(hint) : SSL_SESSION_get_timeout(&session);
  constexpr std::int64_t kMax = TlsContext::kTicketLifeMax / 1s;
  const WallTime end = {.seconds = std::min(begin.seconds + std::clamp<std::int64_t>(life, 0, kMax),
                                            verified_at(session) + kMax)};
  const X509* const certificate = SSL_SESSION_get0_peer(const_cast<SSL_SESSION*>(&session));
  return certificate == nullptr ? begin : std::min(end, describe(*certificate).not_after);
}

std::optional<std::string> encode(const SSL_SESSION& session) {
  if (SSL_SESSION_is_resumable(&session) != 1) return std::nullopt;
  const int size = i2d_SSL_SESSION(&session, nullptr);
  if (size <= 0 || static_cast<std::size_t>(size) > kTicketBytesMax) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  auto* end = reinterpret_cast<unsigned char*>(bytes.data());
  CHECK_EQ(i2d_SSL_SESSION(&session, &end), size);
  return bytes;
}

}  // namespace

void FreeSslSession::operator()(ssl_session_st* session) const noexcept {
  SSL_SESSION_free(session);
}

void TlsSessionCache::note_verified(ssl_session_st& session) {
  set_verified(session, begin_of(session));
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

std::string TlsSessionCache::key_of(std::string_view session_key, std::string_view host) {
  std::string key(session_key);
  key += '\0';
  key += host;
  return key;
}

std::vector<TlsTicket> TlsSessionCache::take_all(WallTime now) {
  std::vector<TlsTicket> tickets;
  for (const Entry& entry : entries_) {
    const SSL_SESSION& session = *entry.sessions.back();
    const WallTime expires = end_of(session);
    if (expires <= now) continue;
    auto bytes = encode(session);
    if (!bytes) continue;
    tickets.push_back({.key = entry.key,
                       .host = entry.key.substr(entry.key.rfind('\0') + 1),
                       .expires = expires,
                       .session = *std::move(bytes)});
  }
  clear();
  return tickets;
}

void TlsSessionCache::put(const TlsTicket& ticket, WallTime now) {
  const auto* begin = reinterpret_cast<const unsigned char*>(ticket.session.data());
  SslSession session(d2i_SSL_SESSION(nullptr, &begin, static_cast<long>(ticket.session.size())));
  if (session == nullptr) return ERR_clear_error();
  // At the latest: a ticket may end before its day is over.
  constexpr std::int64_t kMax = TlsContext::kTicketLifeMax / 1s;
  set_verified(*session, ticket.expires.seconds - kMax);
  if (end_of(*session) <= now) return;
  put(ticket.key, std::move(session));
}

void TlsSessionCache::clear() {
  places_.clear();
  entries_.clear();
}

}  // namespace gossamer::net

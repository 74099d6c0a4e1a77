// The cookies of a crawl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "url/url.h"
#include "wire/cookie.h"

namespace gossamer::wire {

struct CookieLimits {
  // Of one registrable domain. Beyond it those that were used least recently go, insecure first.
  std::size_t per_site_max = 180;
  // Of all. Beyond it those that were used least recently go.
  std::size_t total_max = 10'000;
  // In one Cookie header; what does not fit stays at home.
  std::size_t sent_max = 150;
  std::size_t header_bytes_max = 8190;
};

// From where a request comes, for SameSite. A crawler goes to pages as a person does who types
// their address, which is `same_site`.
enum class CookieContext : std::uint8_t {
  same_site,
  cross_site_navigation,  // Lax cookies go along, Strict ones do not
  cross_site,             // neither do
};

// RFC 6265bis section 5. Pure: what time it is, the caller says.
class CookieJar {
 public:
  explicit CookieJar(const CookieLimits& limits = {}) : limits_(limits) {}

  // The Set-Cookie values of a response, in their order. What may not be set is dropped.
  void set_from_response(const url::Url& url, std::span<const std::string_view> header_values,
                         WallTime now, CookieContext context = CookieContext::same_site);

  // The Cookie header of a request; empty if there is nothing to send.
  std::string header_for(const url::Url& url, WallTime now,
                         CookieContext context = CookieContext::same_site);

  // A cookie from elsewhere, say a file: replaces one of its name, domain and path.
  void put(Cookie cookie, WallTime now);

  // Who is told of every cookie that is set or changed from now on, and of those that go.
  using OnChange = std::move_only_function<void(const Cookie& cookie, bool is_there)>;
  void on_change(OnChange callback) { on_change_ = std::move(callback); }

  std::size_t size() const noexcept { return size_; }
  void clear();
  // Those without a date of expiry.
  void clear_session();

  // All that have not expired, in the order in which they were set.
  std::vector<Cookie> all(WallTime now) const;

 private:
  struct Entry {
    Cookie cookie;
    std::uint64_t created = 0;  // a count: which came before which
    std::uint64_t used = 0;
  };
  using Site = std::vector<Entry>;

  static std::string site_of(std::string_view domain);
  bool is_hidden_by_secure(const Cookie& cookie, const url::Url& url) const;
  void make_room(Site& site, WallTime now);
  void evict_over_total(WallTime now);
  template <class Predicate>
  void drop(Predicate is_dropped);
  // What std::erase_if() does, and tells of it.
  template <class Predicate>
  void erase_from(Site& site, Predicate is_erased);

  CookieLimits limits_;
  std::unordered_map<std::string, Site> sites_;  // by registrable domain
  std::uint64_t count_ = 0;
  std::size_t size_ = 0;
  OnChange on_change_;
};

}  // namespace gossamer::wire

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
  // Per registrable domain. Beyond it, the least recently used cookies are removed, insecure ones
  // first.
  std::size_t per_site_max = 180;
  // In total. Beyond it, the least recently used cookies are removed.
  std::size_t total_max = 10'000;
  // In one Cookie header; further cookies are not sent.
  std::size_t sent_max = 150;
  std::size_t header_bytes_max = 8190;
};

// The origin of a request, for SameSite. A crawler visits pages like a person who types their
// address, which is `same_site`.
enum class CookieContext : std::uint8_t {
  same_site,
  cross_site_navigation,  // Lax cookies are sent, Strict ones are not
  cross_site,             // neither is sent
};

// RFC 6265bis section 5. Pure: the caller passes the time.
class CookieJar {
 public:
  explicit CookieJar(const CookieLimits& limits = {}) : limits_(limits) {}

  // Takes the Set-Cookie values of a response, in their order. Values that must not be set are
  // dropped.
  void set_from_response(const url::Url& url, std::span<const std::string_view> header_values,
                         WallTime now, CookieContext context = CookieContext::same_site);

  // Returns the Cookie header of a request; empty if there is nothing to send.
  std::string header_for(const url::Url& url, WallTime now,
                         CookieContext context = CookieContext::same_site);

  // Adds a cookie from another source, say a file. It replaces one of the same name, domain and
  // path.
  void put(Cookie cookie, WallTime now);

  // Called for every cookie that is set, changed or removed from now on.
  using OnChange = std::move_only_function<void(const Cookie& cookie, bool is_there)>;
  void on_change(OnChange callback) { on_change_ = std::move(callback); }

  std::size_t size() const noexcept { return size_; }

  // Returns all cookies that have not expired, in the order in which they were set.
  std::vector<Cookie> all(WallTime now) const;
  // The same for the cookies that the host of this name may receive.
  std::vector<Cookie> of_host(std::string_view host, WallTime now) const;

 private:
  struct Entry {
    Cookie cookie;
    std::uint64_t created = 0;  // a counter that gives the order
    std::uint64_t used = 0;
  };
  using Site = std::vector<Entry>;

  static std::string site_of(std::string_view domain);
  bool is_hidden_by_secure(const Cookie& cookie, const url::Url& url) const;
  void make_room(Site& site, WallTime now);
  void evict_over_total(WallTime now);
  template <class Predicate>
  void drop(Predicate is_dropped);
  // Does the same as std::erase_if(), and reports each removal.
  template <class Predicate>
  void erase_from(Site& site, Predicate is_erased);

  CookieLimits limits_;
  std::unordered_map<std::string, Site> sites_;  // by registrable domain
  std::uint64_t count_ = 0;
  std::size_t size_ = 0;
  OnChange on_change_;
};

}  // namespace gossamer::wire

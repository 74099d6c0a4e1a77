#include "wire/cookie_jar.h"

#include <algorithm>
#include <utility>

#include "url/public_suffix.h"

namespace gossamer::wire {
namespace {

bool is_same(const Cookie& a, const Cookie& b) {
  return a.name == b.name && a.domain == b.domain && a.path == b.path && a.host_only == b.host_only;
}

bool may_be_set(const Cookie& cookie, CookieContext context) {
  return context == CookieContext::same_site || cookie.same_site == SameSite::none ||
         cookie.same_site == SameSite::unspecified ||
         (context == CookieContext::cross_site_navigation);
}

bool may_be_sent(const Cookie& cookie, CookieContext context) {
  switch (context) {
    case CookieContext::same_site: return true;
    case CookieContext::cross_site_navigation: return cookie.same_site != SameSite::strict;
    case CookieContext::cross_site: return cookie.same_site == SameSite::none;
  }
  return false;
}

std::size_t bytes_in_header(const Cookie& cookie) {
  return cookie.name.size() + (cookie.name.empty() ? 0 : 1) + cookie.value.size();
}

void append(std::string& header, const Cookie& cookie) {
  if (!header.empty()) header += "; ";
  if (!cookie.name.empty()) header.append(cookie.name).append("=");
  header += cookie.value;
}

}  // namespace

std::string CookieJar::site_of(std::string_view domain) {
  const std::string_view site = url::PublicSuffixList::built_in().registrable_domain(domain);
  return std::string(site.empty() ? domain : site);
}

void CookieJar::set_from_response(const url::Url& url,
                                  std::span<const std::string_view> header_values, WallTime now,
                                  CookieContext context) {
  for (const std::string_view value : header_values) {
    auto cookie = parse_set_cookie(value, url, now);
    if (!cookie || !may_be_set(*cookie, context)) continue;
    if (!cookie->secure && is_hidden_by_secure(*cookie, url)) continue;
    put(*std::move(cookie), now);
  }
}

// Section 5.7 step 16: a cookie set without TLS must not shadow one set with TLS.
bool CookieJar::is_hidden_by_secure(const Cookie& cookie, const url::Url& url) const {
  if (url.scheme_kind() == url::SchemeKind::https) return false;
  const auto site = sites_.find(site_of(cookie.domain));
  if (site == sites_.end()) return false;
  return std::ranges::any_of(site->second, [&](const Entry& entry) {
    const Cookie& other = entry.cookie;
    return other.secure && other.name == cookie.name &&
           (domain_matches(other.domain, cookie.domain) ||
            domain_matches(cookie.domain, other.domain)) &&
           path_matches(cookie.path, other.path);
  });
}

void CookieJar::put(Cookie cookie, WallTime now) {
  Site& site = sites_[site_of(cookie.domain)];
  const auto old =
      std::ranges::find_if(site, [&](const Entry& entry) { return is_same(entry.cookie, cookie); });
  const bool is_new = old == site.end();
  if (is_expired(cookie, now)) {
    if (!is_new) {
      erase_from(site, [which = old->created](const Entry& e) { return e.created == which; });
    }
    if (site.empty()) sites_.erase(site_of(cookie.domain));
    return;
  }
  ++count_;
  const bool is_news = is_new || old->cookie != cookie;
  if (is_news && on_change_) on_change_(cookie, true);
  if (!is_new) {
    old->cookie = std::move(cookie);
    old->used = count_;
    return;
  }
  make_room(site, now);
  site.push_back({.cookie = std::move(cookie), .created = count_, .used = count_});
  ++size_;
  if (size_ > limits_.total_max) evict_over_total(now);
}

// Section 5.7, end: expired cookies are removed first, then insecure and least recently used ones
// of a site with too many.
void CookieJar::make_room(Site& site, WallTime now) {
  if (site.size() < limits_.per_site_max) return;
  erase_from(site, [&](const Entry& e) { return is_expired(e.cookie, now); });
  while (!site.empty() && site.size() >= limits_.per_site_max) {
    const auto least = std::ranges::min_element(
        site, {}, [](const Entry& entry) { return std::pair(entry.cookie.secure, entry.used); });
    if (on_change_) on_change_(least->cookie, false);
    // The order does not matter, and one response may set thousands, so only the last entry moves.
    if (least != site.end() - 1) *least = std::move(site.back());
    site.pop_back();
    --size_;
  }
}

// Removes a tenth, so that this is not needed for every cookie.
void CookieJar::evict_over_total(WallTime now) {
  drop([&](const Entry& entry) { return is_expired(entry.cookie, now); });
  if (size_ <= limits_.total_max) return;
  std::vector<std::uint64_t> used;
  used.reserve(size_);
  for (const auto& [name, site] : sites_) {
    for (const Entry& entry : site) used.push_back(entry.used);
  }
  const std::size_t dropped = size_ - limits_.total_max + limits_.total_max / 10;
  const auto last = used.begin() + static_cast<std::ptrdiff_t>(std::min(dropped, used.size()) - 1);
  std::ranges::nth_element(used, last);
  drop([limit = *last](const Entry& entry) { return entry.used <= limit; });
}

template <class Predicate>
void CookieJar::erase_from(Site& site, Predicate is_erased) {
  size_ -= std::erase_if(site, [&](const Entry& entry) {
    const bool goes = is_erased(entry);
    if (goes && on_change_) on_change_(entry.cookie, false);
    return goes;
  });
}

template <class Predicate>
void CookieJar::drop(Predicate is_dropped) {
  for (auto& [name, site] : sites_) erase_from(site, is_dropped);
  std::erase_if(sites_, [](const auto& site) { return site.second.empty(); });
}

std::string CookieJar::header_for(const url::Url& url, WallTime now, CookieContext context) {
  std::string header;
  const auto site = sites_.find(site_of(cookie_host(url)));
  if (site == sites_.end()) return header;
  std::vector<Entry*> sent;
  for (Entry& entry : site->second) {
    if (goes_to(entry.cookie, url) && !is_expired(entry.cookie, now) &&
        may_be_sent(entry.cookie, context)) {
      sent.push_back(&entry);
    }
  }
  // Section 5.8.3: longer paths first, then older cookies.
  std::ranges::sort(sent, [](const Entry* a, const Entry* b) {
    const auto key = [](const Entry& e) { return std::pair(~e.cookie.path.size(), e.created); };
    return key(*a) < key(*b);
  });
  ++count_;
  std::size_t count = 0;
  for (Entry* const entry : sent) {
    const std::size_t bytes = bytes_in_header(entry->cookie) + (header.empty() ? 0 : 2);
    if (count == limits_.sent_max) break;
    if (header.size() + bytes > limits_.header_bytes_max) continue;
    append(header, entry->cookie);
    entry->used = count_;
    ++count;
  }
  return header;
}

std::vector<Cookie> CookieJar::all(WallTime now) const {
  std::vector<const Entry*> entries;
  for (const auto& [name, site] : sites_) {
    for (const Entry& entry : site) {
      if (!is_expired(entry.cookie, now)) entries.push_back(&entry);
    }
  }
  std::ranges::sort(entries, {}, &Entry::created);
  std::vector<Cookie> cookies;
  for (const Entry* entry : entries) cookies.push_back(entry->cookie);
  return cookies;
}

std::vector<Cookie> CookieJar::of_host(std::string_view host, WallTime now) const {
  std::vector<Cookie> cookies;
  const auto site = sites_.find(site_of(host));
  if (site == sites_.end()) return cookies;
  for (const Entry& entry : site->second) {
    const Cookie& cookie = entry.cookie;
    const bool is_for_it =
        cookie.host_only ? cookie.domain == host : domain_matches(host, cookie.domain);
    if (is_for_it && !is_expired(cookie, now)) cookies.push_back(cookie);
  }
  return cookies;
}

}  // namespace gossamer::wire

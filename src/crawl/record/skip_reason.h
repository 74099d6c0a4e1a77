#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::crawler {

// Why a found URL is not fetched. Every skipped URL has exactly one reason; they are counted, and
// each can be looked up by URL.
enum class SkipReason : std::uint8_t {
  none,                // it is fetched
  not_http,            // mailto:, javascript:, ftp: ...
  bad_url,             // not a URL
  url_too_long,        // longer than ScopeOptions::url_bytes_max
  out_of_scope,        // another host, or outside of the folder
  excluded,            // an exclude pattern matches
  not_included,        // no include pattern matches
  too_deep,            // `depth`
  extension,           // `skip-extensions`
  nofollow,            // the link or its page says so
  robots,              // robots.txt forbids it
  robots_unreachable,  // robots.txt could not be fetched, so nothing may be fetched
  crawl_delay,         // Crawl-delay is longer than we accept
  host_parked,         // the host did not answer for too long
  retry_after,         // Retry-After is longer than we accept
  host_budget,         // `host-limit`
  path_budget,         // `path-limit`
  repeated_segments,   // trap: /a/b/a/b/a/b
  path_depth,          // trap: too many segments
  calendar,            // trap: distant dates, or too many dates
  session_growth,      // trap: the same path with ever new tokens
  endless_series,      // trap: endless numbered pages without new content
  domain_hosts,        // trap: too many hosts of one domain
  soft_404,            // found on a page that the host returns for every URL
  links_per_page,      // the page has too many links
  filtered,            // the filter of the embedding program rejected it
  logout,              // it would end our session
  blocked,             // the user blocked the host during the crawl
  stopped,             // the crawl ended before it was fetched
};

inline constexpr std::size_t kSkipReasons = static_cast<std::size_t>(SkipReason::stopped) + 1;

// "out_of_scope", ... It is stable, because files contain it.
std::string_view name(SkipReason reason) noexcept;
// Returns SkipReason::none if there is none of that name.
SkipReason skip_reason_named(std::string_view name) noexcept;
// "robots.txt forbids it".
std::string_view describe(SkipReason reason) noexcept;

// True if it is a guess that the URL is not worth a request. A crawl that skipped such URLs is not
// complete.
bool is_guess(SkipReason reason) noexcept;
// True if the user sets this limit, or logs in: it skips only what it should.
bool is_requested(SkipReason reason) noexcept;
// The setting that fetches URLs that a guess skipped: "`no-trap` calendar". Empty: there is none.
std::string_view setting_against(SkipReason reason) noexcept;

}  // namespace gossamer::crawler

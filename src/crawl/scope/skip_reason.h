#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::crawler {

// Why a URL that was found is not asked for. Every refusal has exactly one; they are counted, and
// each can be looked up by the URL.
enum class SkipReason : std::uint8_t {
  none,                // it is asked for
  not_http,            // mailto:, javascript:, ftp: ...
  bad_url,             // no URL at all
  url_too_long,        // longer than ScopeOptions::url_bytes_max
  out_of_scope,        // another host, or outside of the folder
  excluded,            // an --exclude matches
  not_included,        // there are --include, and none matches
  too_deep,            // --depth
  extension,           // a file extension that is not wanted
  nofollow,            // the link or its page says so
  robots,              // robots.txt says so
  robots_unreachable,  // robots.txt could not be had, so nothing may be asked for
  crawl_delay,         // the host wants longer pauses than we are ready to make
  host_parked,         // the host did not answer for too long
  retry_after,         // the host asked us to wait for longer than we are ready to
  host_budget,         // as many URLs of this host as are wanted
  path_budget,         // as many variants (queries) of this path as are wanted
  repeated_segments,   // trap: /a/b/a/b/a/b
  path_depth,          // trap: too many segments
  calendar,            // trap: dates far away, or too many of them
  session_growth,      // trap: the same path under ever new tokens
  endless_series,      // trap: numbered pages that add nothing new
  domain_hosts,        // trap: too many hosts of one domain
  soft_404,            // found on a page that is the host's answer to everything
  links_per_page,      // more links than a page may bring
  filtered,            // the embedder's filter says so
  logout,              // it would end the session that we are logged in to
  blocked,             // whoever watches the crawl wants no more of this host
  stopped,             // the crawl ended before its turn came
};

inline constexpr std::size_t kSkipReasons = static_cast<std::size_t>(SkipReason::stopped) + 1;

// "out_of_scope", ... Stable: it goes into files.
std::string_view name(SkipReason reason) noexcept;
// "robots.txt forbids it".
std::string_view describe(SkipReason reason) noexcept;

}  // namespace gossamer::crawler

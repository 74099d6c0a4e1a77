#include "crawl/scope/skip_reason.h"

namespace gossamer::crawler {

std::string_view name(SkipReason reason) noexcept {
  static constexpr std::array<std::string_view, kSkipReasons> kNames = {
      "none",           "not_http",          "bad_url",      "url_too_long",
      "out_of_scope",   "excluded",          "not_included", "too_deep",
      "extension",      "nofollow",          "robots",       "robots_unreachable",
      "crawl_delay",    "host_parked",       "retry_after",  "host_budget",
      "path_budget",    "repeated_segments", "path_depth",   "calendar",
      "session_growth", "endless_series",    "domain_hosts", "soft_404",
      "links_per_page", "filtered",          "logout",       "blocked",
      "stopped",
  };
  return kNames[static_cast<std::size_t>(reason)];
}

std::string_view describe(SkipReason reason) noexcept {
  static constexpr std::array<std::string_view, kSkipReasons> kTexts = {
      "it is asked for",
      "neither http nor https",
      "no URL at all",
      "longer than --max-url-length",
      "outside of the --scope",
      "an --exclude matches",
      "no --include matches",
      "further from a root than --depth",
      "its extension is among --skip-extensions",
      "the link or its page says nofollow",
      "robots.txt forbids it",
      "robots.txt could not be had, so nothing may be asked for",
      "the host wants longer pauses than we are ready to make",
      "the host did not answer for too long",
      "the host asked us to wait for longer than --max-wait",
      "the host has had as many as --host-limit allows",
      "the path has had as many queries as --path-limit allows",
      "trap: the same segments over and over",
      "trap: a path of too many segments",
      "trap: a calendar without end",
      "trap: the same path under ever new tokens",
      "trap: numbered pages without end that add nothing new",
      "trap: the domain has as many hosts as --max-hosts-per-domain allows",
      "found on a page that is the host's answer to everything",
      "more links than a page may bring",
      "a filter of the program says so",
      "it looks like the end of the session; --follow-logout follows it",
      "whoever watches the crawl wants no more of this host",
      "the crawl ended before its turn came",
  };
  return kTexts[static_cast<std::size_t>(reason)];
}

}  // namespace gossamer::crawler

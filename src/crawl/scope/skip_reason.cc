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
      "it is fetched",
      "neither http nor https",
      "not a URL",
      "longer than --max-url-length",
      "outside --scope",
      "an --exclude matches",
      "no --include matches",
      "further from a root than --depth",
      "--skip-extensions lists its extension",
      "the link or its page is marked nofollow",
      "robots.txt forbids it",
      "robots.txt could not be fetched, so the site was skipped",
      "the Crawl-delay of the host is too long",
      "the host did not answer for too long",
      "the host requested a pause longer than --max-wait",
      "the host reached --host-limit",
      "the path reached --path-limit",
      "trap: repeated path segments",
      "trap: too many path segments",
      "trap: an endless calendar",
      "trap: the same path with ever new tokens",
      "trap: endless numbered pages without new content",
      "trap: the domain reached --max-hosts-per-domain",
      "found on a soft-404 page",
      "the page has too many links",
      "a filter of the program rejected it",
      "it looks like a logout; use --follow-logout to follow it",
      "the host was blocked during the crawl",
      "the crawl ended before it was fetched",
  };
  return kTexts[static_cast<std::size_t>(reason)];
}

}  // namespace gossamer::crawler

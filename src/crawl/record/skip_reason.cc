#include "record/skip_reason.h"

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

SkipReason skip_reason_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kSkipReasons; ++i) {
    const auto reason = static_cast<SkipReason>(i);
    if (crawler::name(reason) == name) return reason;
  }
  return SkipReason::none;
}

std::string_view describe(SkipReason reason) noexcept {
  static constexpr std::array<std::string_view, kSkipReasons> kTexts = {
      "it is fetched",
      "neither http nor https",
      "not a URL",
      "longer than URLs may be",
      "outside the scope",
      "an exclude pattern matches",
      "no include pattern matches",
      "further from a root than the crawl goes",
      "URLs with this extension are skipped",
      "the link or its page is marked nofollow",
      "robots.txt forbids it",
      "robots.txt could not be fetched, so the site was skipped",
      "the Crawl-delay of the host is too long",
      "the host did not answer for too long",
      "the host requested a pause longer than the crawl waits",
      "the host reached its limit of pages",
      "the path reached its limit of pages",
      "trap: repeated path segments",
      "trap: too many path segments",
      "trap: an endless calendar",
      "trap: the same path with ever new tokens",
      "trap: endless numbered pages without new content",
      "trap: the domain reached its limit of hosts",
      "found on a soft-404 page",
      "the page has too many links",
      "a filter of the program rejected it",
      "it looks like a logout",
      "the host was blocked during the crawl",
      "the crawl ended before it was fetched",
  };
  return kTexts[static_cast<std::size_t>(reason)];
}

bool is_guess(SkipReason reason) noexcept {
  return reason == SkipReason::links_per_page || !setting_against(reason).empty();
}

bool is_requested(SkipReason reason) noexcept {
  return reason == SkipReason::host_budget || reason == SkipReason::path_budget ||
         reason == SkipReason::logout;
}

std::string_view setting_against(SkipReason reason) noexcept {
  switch (reason) {
    case SkipReason::url_too_long: return "`max-url-length`";
    case SkipReason::host_budget: return "`host-limit`";
    case SkipReason::path_budget: return "`path-limit`";
    case SkipReason::repeated_segments: return "`no-trap` repeated_segments";
    case SkipReason::path_depth: return "`no-trap` path_depth";
    case SkipReason::calendar: return "`no-trap` calendar";
    case SkipReason::session_growth: return "`no-trap` session_growth";
    case SkipReason::endless_series: return "`no-trap` endless_series";
    case SkipReason::domain_hosts: return "`no-trap` domain_hosts";
    case SkipReason::soft_404: return "`no-trap` soft_404";
    case SkipReason::logout: return "`follow-logout`";
    default: return {};
  }
}

}  // namespace gossamer::crawler

#include "record/skip_reason.h"

#include <algorithm>

namespace gossamer::crawler {
namespace {

struct SkipFacts {
  SkipReason reason;
  std::string_view name;
  std::string_view text;
  std::string_view setting = {};  // that fetches such URLs
  bool is_requested = false;
};

// One line for each reason, in the order of the enumeration.
constexpr auto kReasons = [] {
  using enum SkipReason;
  return std::to_array<SkipFacts>({
      {none, "none", "it is fetched"},
      {not_http, "not_http", "neither http nor https"},
      {bad_url, "bad_url", "not a URL"},
      {url_too_long, "url_too_long", "longer than URLs may be", "`max-url-length`"},
      {out_of_scope, "out_of_scope", "outside the scope"},
      {excluded, "excluded", "an exclude pattern matches"},
      {not_included, "not_included", "no include pattern matches"},
      {too_deep, "too_deep", "further from a root than the crawl goes"},
      {extension, "extension", "URLs with this extension are skipped"},
      {nofollow, "nofollow", "the link or its page is marked nofollow"},
      {robots, "robots", "robots.txt forbids it"},
      {robots_unreachable, "robots_unreachable",
       "robots.txt could not be fetched, so the site was skipped"},
      {crawl_delay, "crawl_delay", "the Crawl-delay of the host is too long"},
      {host_parked, "host_parked", "the host did not answer for too long"},
      {retry_after, "retry_after", "the host requested a pause longer than the crawl waits"},
      {host_budget, "host_budget", "the host reached its limit of pages", "`host-limit`", true},
      {path_budget, "path_budget", "the path reached its limit of pages", "`path-limit`", true},
      {repeated_segments, "repeated_segments", "trap: repeated path segments",
       "`no-trap` repeated_segments"},
      {path_depth, "path_depth", "trap: too many path segments", "`no-trap` path_depth"},
      {calendar, "calendar", "trap: an endless calendar", "`no-trap` calendar"},
      {session_growth, "session_growth", "trap: the same path with ever new tokens",
       "`no-trap` session_growth"},
      {endless_series, "endless_series", "trap: endless numbered pages without new content",
       "`no-trap` endless_series"},
      {domain_hosts, "domain_hosts", "trap: the domain reached its limit of hosts",
       "`no-trap` domain_hosts"},
      {soft_404, "soft_404", "found on a soft-404 page", "`no-trap` soft_404"},
      {links_per_page, "links_per_page", "the page has too many links"},
      {filtered, "filtered", "a filter of the program rejected it"},
      {logout, "logout", "it looks like a logout", "`follow-logout`", true},
      {blocked, "blocked", "the host was blocked during the crawl"},
      {stopped, "stopped", "the crawl ended before it was fetched"},
  });
}();
static_assert(kReasons.size() == kSkipReasons);

constexpr const SkipFacts& facts_of(SkipReason reason) noexcept {
  return kReasons[static_cast<std::size_t>(reason)];
}
static_assert(std::ranges::all_of(kReasons, [](const SkipFacts& facts) {
  return facts_of(facts.reason).name == facts.name;
}));

}  // namespace

std::string_view name(SkipReason reason) noexcept { return facts_of(reason).name; }

SkipReason skip_reason_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(kReasons, name, &SkipFacts::name);
  return found == kReasons.end() ? SkipReason::none : found->reason;
}

std::string_view describe(SkipReason reason) noexcept { return facts_of(reason).text; }

bool is_guess(SkipReason reason) noexcept {
  return reason == SkipReason::links_per_page || !setting_against(reason).empty();
}

bool is_requested(SkipReason reason) noexcept { return facts_of(reason).is_requested; }

std::string_view setting_against(SkipReason reason) noexcept { return facts_of(reason).setting; }

}  // namespace gossamer::crawler

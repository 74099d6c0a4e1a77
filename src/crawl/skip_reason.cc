#include "crawl/skip_reason.h"

namespace gossamer::crawl {

std::string_view name(SkipReason reason) noexcept {
  static constexpr std::array<std::string_view, kSkipReasons> kNames = {
      "none",
      "not_http",
      "bad_url",
      "url_too_long",
      "out_of_scope",
      "excluded",
      "not_included",
      "too_deep",
      "extension",
      "nofollow",
      "robots",
      "robots_unreachable",
      "crawl_delay",
      "host_parked",
      "retry_after",
      "host_budget",
      "path_budget",
      "repeated_segments",
      "path_depth",
      "calendar",
      "session_growth",
      "endless_series",
      "domain_hosts",
      "soft_404",
      "links_per_page",
      "filtered",
      "logout",
      "blocked",
      "stopped",
  };
  return kNames[static_cast<std::size_t>(reason)];
}

}  // namespace gossamer::crawl

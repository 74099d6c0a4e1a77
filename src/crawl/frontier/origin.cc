#include "frontier/origin.h"

namespace gossamer::crawler {

OriginEnd end_of_parked(ParkReason reason, Duration wait_max) {
  OriginEnd end = {.reason = SkipReason::host_parked, .detail = {}, .may_pass = true};
  switch (reason) {
    case ParkReason::silent: end.detail = "the host did not answer"; break;
    case ParkReason::refusing: end.detail = "the host refused too many requests in a row"; break;
    case ParkReason::asks_to_wait:
      end.reason = SkipReason::retry_after;
      end.detail = "the host requested a pause of more than " + base::to_string(wait_max);
      break;
  }
  return end;
}

std::string_view origin_text(const url::Url& url) noexcept {
  const std::string_view href = url.href();
  return href.substr(0, static_cast<std::size_t>(url.pathname().data() - href.data()));
}

}  // namespace gossamer::crawler

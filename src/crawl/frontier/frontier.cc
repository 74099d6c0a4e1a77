#include "crawl/frontier/frontier.h"

#include "base/check.h"

namespace gossamer::crawler {

OriginEnd end_of_parked(ParkReason reason, Duration wait_max) {
  OriginEnd end = {.reason = SkipReason::host_parked, .detail = {}, .may_pass = true};
  switch (reason) {
    case ParkReason::silent: end.detail = "the host did not answer"; break;
    case ParkReason::refusing: end.detail = "the host refused too many requests in a row"; break;
    case ParkReason::asks_to_wait:
      end.reason = SkipReason::retry_after;
      end.detail = "the host asked us to wait for longer than " + base::to_string(wait_max);
      break;
  }
  return end;
}

url::UrlFailure Claim::read_url(url::Url& url) const {
  url::Url& last = frontier_->last_read_;
  const url::UrlFailure failure = url.assign_beside(target.url, last);
  if (failure == url::UrlFailure::none && origin_text(url) != origin_text(last)) {
    // Without its path: the longer the other is, the more room is made for a URL at first.
    CHECK(last.assign(origin_text(url)) == url::UrlFailure::none);
  }
  return failure;
}

std::string_view origin_text(const url::Url& url) noexcept {
  const std::string_view href = url.href();
  return href.substr(0, static_cast<std::size_t>(url.pathname().data() - href.data()));
}

}  // namespace gossamer::crawler

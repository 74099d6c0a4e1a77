#include "crawl/frontier.h"

#include "base/check.h"

namespace gossamer::crawl {

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

}  // namespace gossamer::crawl

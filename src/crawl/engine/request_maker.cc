#include "engine/request_maker.h"

#include <string>
#include <utility>

#include "async/loop.h"
#include "url/url.h"

namespace gossamer::crawler {

Result<http::Request> RequestMaker::make(const Claim& claim) {
  const Target& target = claim.target;
  http::Request request;
  const url::UrlFailure failure = claim.read_url(request.url);
  if (failure != url::UrlFailure::none) {
    return fail(Errc::malformed, std::string(describe(failure)));
  }
  if (uses_head(target)) request.method = "HEAD";
  if (cookies_.size() > 0) {
    std::string cookies =
        cookies_.header_for(request.url, world_.wall(async::Loop::current().now()));
    if (!cookies.empty()) request.fields.push_back({"Cookie", std::move(cookies)});
  }
  if (hooks_.edit_request) hooks_.edit_request(request);
  return request;
}

bool RequestMaker::uses_head(const Target& target) const {
  return target.leaf == Leaf::yes && !options_.reads_leaves;
}

}  // namespace gossamer::crawler

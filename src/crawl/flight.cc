#include "crawl/flight.h"

#include <utility>

#include "base/check.h"

namespace gossamer::crawler {

void Flight::begin(Claim&& claimed) noexcept {
  std::destroy_at(&claim);
  std::construct_at(&claim, std::move(claimed));
}

const http::Request& Flight::request(http::Request& room) const {
  if (kept) return *kept;
  const url::UrlFailure failure = claim.read_url(room.url);
  CHECK(failure == url::UrlFailure::none, "{} is no URL", claim.target.url);
  return room;
}

http::Request& Flight::keep_request() {
  if (!kept) {
    auto made = std::make_unique<http::Request>();
    static_cast<void>(request(*made));
    kept = std::move(made);
  }
  return *kept;
}

}  // namespace gossamer::crawler

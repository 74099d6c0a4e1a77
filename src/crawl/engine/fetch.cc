#include "engine/fetch.h"

#include <string>
#include <utility>

#include "async/async_stack.h"
#include "base/check.h"
#include "url/url.h"

namespace gossamer::crawler {
namespace {

std::string_view stage_of(const Claim& claim) {
  switch (claim.work) {
    case Work::resolve: return "resolving";
    case Work::robots: return "robots";
    case Work::page: break;
  }
  return claim.step == http::ExchangeStep::over ? "storing" : http::name(claim.step);
}

}  // namespace

void Fetch::begin(Claim&& claimed) noexcept {
  std::destroy_at(&claim);
  std::construct_at(&claim, std::move(claimed));
}

const http::Request& Fetch::request(http::Request& room) const {
  if (kept) return *kept;
  const url::UrlFailure failure = claim.read_url(room.url);
  CHECK(failure == url::UrlFailure::none, "{} is not a URL", claim.target.url);
  return room;
}

http::Request& Fetch::keep_request() {
  if (!kept) {
    auto made = std::make_unique<http::Request>();
    static_cast<void>(request(*made));
    kept = std::move(made);
  }
  return *kept;
}

FetchFacts describe(const Fetch& fetch, Instant now) {
  const Claim& claim = fetch.claim;
  FetchFacts facts = {
      .stage = stage_of(claim),
      .url = claim.work == Work::page ? claim.target.url : std::string(claim.origin()),
      .host = {},
      .age = now - claim.started,
      .bytes = claim.body_bytes,
      .tries = claim.target.tries + 1U,
      .stack = async::describe_stack(fetch.task)};
  if (const auto origin = url::Url::parse(claim.origin())) facts.host = origin->hostname();
  return facts;
}

}  // namespace gossamer::crawler

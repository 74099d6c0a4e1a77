#include "crawl/robots_fetch.h"

#include <algorithm>
#include <utility>

#include "http/body.h"
#include "wire/retry_after.h"

namespace gossamer::crawl {
namespace {

constexpr std::string_view kPath = "/robots.txt";

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

RobotsAnswer failed(Error error) {
  return {.kind = RobotsAnswer::Kind::failed,
          .robots = {},
          .status = std::nullopt,
          .failure = std::move(error).with_context("while fetching robots.txt"),
          .retry_after = std::nullopt};
}

// BORROWS: all.
async::Task<RobotsAnswer> read_answer(http::Response& response, wire::WholeDecoder& decoder,
                                      const RobotsFetchOptions& options, WallTime now) {
  RobotsAnswer answer;
  answer.status = response.status();
  if (*answer.status >= 500 || *answer.status == 429) {
    answer.kind = RobotsAnswer::Kind::unreachable;
    if (const auto value = response.head().find("Retry-After")) {
      answer.retry_after = wire::parse_retry_after(*value, now);
    }
    co_return answer;
  }
  if (*answer.status < 200 || *answer.status >= 300) co_return answer;
  http::WholeBody body =
      co_await http::read_whole(response, decoder, {.bytes_max = options.bytes_max});
  // A file that is cut by our bound is good as far as it goes; one that was cut on the way may lack
  // the very line that forbids.
  if (body.trouble && *body.trouble != Errc::over_limit) {
    co_return failed(std::move(*body.trouble));
  }
  answer.robots =
      robots::Robots::parse(body.bytes, options.agent, {.bytes_max = options.bytes_max});
  co_return answer;
}

}  // namespace

Result<std::optional<url::Url>> redirect_target(const url::Url& from,
                                                const http::Response& answer) {
  if (!is_redirect(answer.status())) return std::nullopt;
  auto place = wire::location(answer.head());
  if (!place) return fail(std::move(place).error());
  if (!*place) return fail(Errc::malformed, "a redirect without a Location");
  auto target = from.resolve(**place);
  if (!target) return fail(std::move(target).error(), "in the Location of a redirect");
  return std::move(*target);
}

async::Task<RobotsAnswer> fetch_robots(http::Client& client, wire::WholeDecoder& decoder,
                                       std::string origin, const RobotsFetchOptions& options,
                                       WallTime now) {
  http::Request request;
  auto url = url::Url::parse(origin.append(kPath));
  CHECK(url.has_value(), "{} is no origin", origin);
  request.url = std::move(*url);
  for (std::uint32_t hops = 0; hops <= options.redirects_max; ++hops) {
    auto response = co_await client.send(request);
    if (!response) co_return failed(std::move(response).error());
    auto next = redirect_target(request.url, *response);
    if (!next) co_return RobotsAnswer{};  // as a 4xx
    if (!*next) co_return co_await read_answer(*response, decoder, options, now);
    if (!(*next)->is_http_or_https()) co_return RobotsAnswer{};
    request.url = std::move(**next);
  }
  co_return RobotsAnswer{};  // RFC 9309 2.3.1.2: more than five redirects are as a 4xx
}

}  // namespace gossamer::crawl

#include "engine/robots_fetch.h"

#include <algorithm>
#include <utility>

#include "engine/page/capturing.h"
#include "http/body.h"
#include "http/redirect.h"
#include "wire/retry_after.h"

namespace gossamer::crawler {
namespace {

constexpr std::string_view kPath = "/robots.txt";
constexpr std::size_t kRobotsBytesMax = 512'000;  // RFC 9309 2.5: at least 500 KiB
constexpr std::uint32_t kRobotsRedirectsMax = 5;

RobotsAnswer failed(Error error) {
  return {.kind = RobotsAnswer::Kind::failed,
          .robots = {},
          .source = {},
          .status = std::nullopt,
          .failure = std::move(error).with_context("while fetching robots.txt"),
          .retry_after = std::nullopt,
          .exchanges = {}};
}

// BORROWS: all. `capture` may be nullptr.
async::Task<RobotsAnswer> read_answer(http::Response& response, wire::WholeDecoder& decoder,
                                      std::string_view agent, WallTime now, Capture* capture) {
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
      co_await http::read_whole(response, decoder, {.bytes_max = kRobotsBytesMax},
                                capture == nullptr ? nullptr : &capture->payload);
  if (capture != nullptr) {
    capture->cut = cut_of(*capture, response,
                          body.trouble ? std::optional(body.trouble->code()) : std::nullopt);
  }
  // A file that our limit truncates is usable. A file that was truncated in transfer may lack the
  // line that forbids a URL.
  if (body.trouble && *body.trouble != Errc::over_limit) {
    co_return failed(std::move(*body.trouble));
  }
  answer.robots = robots::Robots::parse(body.bytes, agent, {.bytes_max = kRobotsBytesMax});
  answer.source = std::move(body.bytes);
  co_return answer;
}

// Captures a response before its body is read.
Exchange begin_exchange(const http::Response& response, const url::Url& url, WallTime now) {
  Exchange exchange = {.url = std::string(url.without_fragment()),
                       .ts = now,
                       .facts = response.facts(),
                       .capture = begin_capture(response)};
  exchange.capture.cut = cut_of(exchange.capture, response, std::nullopt);
  return exchange;
}

}  // namespace

async::Task<RobotsAnswer> fetch_robots(http::Client& client, wire::WholeDecoder& decoder,
                                       std::string origin, const Settings& settings, WallTime now) {
  http::Request request;
  auto url = url::Url::parse(origin.append(kPath));
  CHECK(url.has_value(), "{} is not an origin", origin);
  request.url = std::move(*url);
  std::vector<Exchange> exchanges;
  RobotsAnswer answer;  // no rules, as for 4xx; RFC 9309 2.3.1.2: the same after five redirects
  for (std::uint32_t hops = 0; hops <= kRobotsRedirectsMax; ++hops) {
    auto response = co_await client.send(request);
    if (!response) {
      answer = failed(std::move(response).error());
      break;
    }
    if (settings.keeps_captures) exchanges.push_back(begin_exchange(*response, request.url, now));
    auto next = http::redirect_target(request.url, *response);
    if (!next) break;
    if (!*next) {
      Capture* const capture = exchanges.empty() ? nullptr : &exchanges.back().capture;
      answer = co_await read_answer(*response, decoder, settings.agent, now, capture);
      break;
    }
    if (!(*next)->is_http_or_https()) break;
    request.url = std::move(**next);
  }
  answer.exchanges = std::move(exchanges);
  co_return answer;
}

}  // namespace gossamer::crawler

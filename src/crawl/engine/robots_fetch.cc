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

struct RobotsReading {
  wire::WholeDecoder& decoder;
  BodyMemory::Share& memory;
  Capture* capture;  // may be nullptr
};

// Reads the text of the rules. Fails as http::BodyReader::next() does; what came before is in
// `text`. BORROWS: all.
async::Task<Result<void>> read_rules_text(http::Response& response, RobotsReading to,
                                          std::string& text) {
  std::string* const payload = to.capture == nullptr ? nullptr : &to.capture->payload;
  http::BodyReader reader(response, {.bytes_max = kRobotsBytesMax}, to.decoder, payload);
  for (;;) {
    const std::size_t kept = text.capacity() + (payload == nullptr ? 0 : payload->capacity());
    const std::size_t bytes =
        kept + reader.bytes_held() + reader.bytes_next_max() + BodyMemory::kPieceBytes;
    if (!to.memory.try_hold(bytes)) {
      reader.hold();
      if (auto room = co_await to.memory.hold(bytes); !room) co_return room;
    }
    auto piece = co_await reader.next();
    if (!piece) co_return fail(std::move(piece).error());
    if (piece->empty()) co_return {};
    append_large(text, as_text(*piece), kRobotsBytesMax);
  }
}

// BORROWS: all.
async::Task<RobotsAnswer> read_answer(http::Response& response, RobotsReading to,
                                      std::string_view agent, WallTime now) {
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
  auto read = co_await read_rules_text(response, to, answer.source);
  if (to.capture != nullptr) {
    to.capture->cut =
        cut_of(*to.capture, response, read ? std::nullopt : std::optional(read.error().code()));
  }
  // A file that our limit truncates is usable. A file that was truncated in transfer may lack the
  // line that forbids a URL.
  if (!read && read.error() != Errc::over_limit) co_return failed(std::move(read).error());
  answer.robots = robots::Robots::parse(answer.source, agent, {.bytes_max = kRobotsBytesMax});
  auto room = co_await to.memory.hold(to.memory.bytes() + answer.robots.bytes_held());
  if (!room) co_return failed(std::move(room).error());
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
                                       BodyMemory::Share& memory, std::string origin,
                                       const Settings& settings, WallTime now) {
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
      answer = co_await read_answer(*response, {decoder, memory, capture}, settings.agent, now);
      break;
    }
    if (!(*next)->is_http_or_https()) break;
    request.url = std::move(**next);
  }
  answer.exchanges = std::move(exchanges);
  co_return answer;
}

}  // namespace gossamer::crawler

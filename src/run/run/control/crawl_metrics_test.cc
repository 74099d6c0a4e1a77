#include "run/control/crawl_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "async/scope.h"
#include "async/socket.h"
#include "tests/simulated/world.h"

namespace gossamer::run {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

CrawlProgress some_status() {
  CrawlProgress status;
  status.pages = 12;
  status.waiting = 3;
  status.errors = {{"timed_out", 2}};
  status.outcomes = {8, 1, 3, 0, 0};
  status.by_status = {{200, 8}, {301, 1}, {404, 1}};
  return status;
}

// Sends a request to a server at `address` and returns the answer.
async::Task<Result<std::string>> answer_at(async::Endpoint address, std::string host,
                                           std::string line) {
  auto server = MetricsServer::bind(address, "a.example", some_status);
  if (!server) co_return fail(std::move(server).error());
  EXPECT_EQ((*server)->address(), "http://" + address.to_string() + "/metrics");
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn((*server)->run());
  std::string heard;
  {
    auto socket = co_await async::Socket::connect(address);
    if (!socket) co_return fail(std::move(socket).error());
    const std::string request =
        line + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    static_cast<void>(co_await socket->send(as_bytes(request)));
    for (;;) {
      auto lent = co_await socket->receive();
      if (!lent || lent->end()) break;
      heard += as_text(lent->bytes());
    }
  }
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return heard;
}

std::string answer(async::Endpoint address, std::string host, std::string line) {
  auto world = sim::World::calm();
  return world.run(answer_at(address, std::move(host), std::move(line))).value_or("");
}

const async::Endpoint kHere = async::Endpoint::loopback(9100);

TEST(MetricsServer, AnswersWithTheNumbersOfTheCrawl) {
  const std::string text = answer(kHere, "localhost:9100", "GET /metrics");
  EXPECT_THAT(text, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(text, HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(text, HasSubstr("\ngossamer_crawl_pages_total{crawl=\"a.example\"} 12\n"));
  EXPECT_THAT(text, HasSubstr("\ngossamer_crawl_waiting{crawl=\"a.example\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("_urls_total{crawl=\"a.example\",outcome=\"error\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("_responses_total{crawl=\"a.example\",status=\"404\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("_state{crawl=\"a.example\",state=\"running\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("_state{crawl=\"a.example\",state=\"ended\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("_errors_total{crawl=\"a.example\",cause=\"timed_out\"} 2\n"));
}

TEST(MetricsServer, AnswersNothingElse) {
  EXPECT_THAT(answer(kHere, "127.0.0.1:9100", "GET /"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(answer(kHere, "127.0.0.1:9100", "POST /metrics"), StartsWith("HTTP/1.1 405 "));
}

TEST(MetricsServer, AnswersOnLoopbackOnlyForLoopbackNames) {
  EXPECT_THAT(answer(kHere, "rebound.example:9100", "GET /metrics"), StartsWith("HTTP/1.1 421 "));
  const auto other = async::Endpoint::v4(127, 0, 0, 2, 9100);
  EXPECT_THAT(answer(other, "127.0.0.2:9100", "GET /metrics"), StartsWith("HTTP/1.1 200 "));
}

TEST(MetricsServer, AnswersForEveryNameOnOtherAddresses) {
  const auto outside = async::Endpoint::v4(10, 0, 0, 5, 9100);
  EXPECT_THAT(answer(outside, "crawler.example:9100", "GET /metrics"), StartsWith("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace gossamer::run

#include "engine/robots_fetch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "async/task.h"
#include "engine/setup/world.h"
#include "record/capture.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kRobotsUrl = "http://a.example/robots.txt";
constexpr std::string_view kForbidding = "User-agent: gossamer\nDisallow: /\n";

// Fetches the robots.txt of a.example.
class RobotsFetch : public testing::Test {
 protected:
  RobotsAnswer fetch(Reply reply) {
    web.at(kRobotsUrl, std::move(reply));
    return fetch();
  }
  RobotsAnswer fetch() {
    visited = web.visit([this](World& world) { return attempt(world); });
    return std::move(*answer);
  }
  static bool allows(const RobotsAnswer& answer) {
    return answer.kind == RobotsAnswer::Kind::rules && answer.robots.decide("/x").allowed;
  }

  TestWeb web;
  Settings settings;
  std::uint64_t bytes_held = 0;  // at the end
  Crawled visited;
  std::optional<RobotsAnswer> answer;

 private:
  // BORROWS: the world.
  async::Task<void> attempt(World& world) {
    wire::WholeDecoder decoder;
    BodyMemory memory(kBodyMemory);
    BodyMemory::Share share(memory);
    answer.emplace(co_await fetch_robots(world.client, decoder, share, "http://a.example", settings,
                                         world.wall_start));
    bytes_held = share.bytes();
  }
};

TEST_F(RobotsFetch, ReadsRulesFromEverySuccess) {
  for (const int status : {200, 201, 203, 299}) {
    const RobotsAnswer rules = fetch({.status = status, .body = std::string(kForbidding)});
    EXPECT_EQ(rules.kind, RobotsAnswer::Kind::rules) << status;
    EXPECT_FALSE(allows(rules)) << status;
    EXPECT_EQ(rules.status, status);
    EXPECT_EQ(rules.source, kForbidding);
    EXPECT_FALSE(rules.failure);
  }
}

// RFC 9309 2.3.1.3: unavailable.
TEST_F(RobotsFetch, OtherResponsesHaveNoRules) {
  for (const int status : {300, 304, 305, 399, 400, 404, 428, 430, 499}) {
    const RobotsAnswer none = fetch({.status = status, .body = std::string(kForbidding)});
    EXPECT_TRUE(allows(none)) << status;
    EXPECT_EQ(none.status, status);
    EXPECT_EQ(none.source, "") << status;
  }
}

// RFC 9309 2.3.1.4: unreachable.
TEST_F(RobotsFetch, AFailingServerForbidsEverythingForNow) {
  for (const int status : {429, 500, 503, 599}) {
    const RobotsAnswer refused = fetch({.status = status, .fields = "Retry-After: 120\r\n"});
    EXPECT_EQ(refused.kind, RobotsAnswer::Kind::unreachable) << status;
    EXPECT_EQ(refused.status, status);
    EXPECT_EQ(refused.retry_after, 120s) << status;
  }
  EXPECT_EQ(fetch({.status = 500}).retry_after, std::nullopt);
}

TEST_F(RobotsFetch, FailsIfThereIsNoCompleteResponse) {
  for (const std::size_t size : {0, 1000}) {
    const RobotsAnswer cut = fetch({.body = std::string(size, '#'), .is_cut = true});
    EXPECT_EQ(cut.kind, RobotsAnswer::Kind::failed) << size;
    ASSERT_TRUE(cut.failure);
    EXPECT_EQ(*cut.failure, Errc::peer_closed);
    EXPECT_THAT(cut.failure->to_string(), HasSubstr("while fetching robots.txt"));
    EXPECT_EQ(cut.status, std::nullopt);
  }
}

// RFC 9309 2.3.1.2.
TEST_F(RobotsFetch, ARedirectToNowhereHasNoRules) {
  for (const char* const place : {"ftp://a.example/robots.txt", "http://["}) {
    EXPECT_TRUE(allows(fetch(redirect_to(place)))) << place;
  }
  EXPECT_TRUE(allows(fetch({.status = 302, .body = std::string(kForbidding)})));
}

TEST_F(RobotsFetch, CapturesEveryResponseIfEnabled) {
  web.at("http://a.example/moved", Reply{.body = std::string(kForbidding)});
  EXPECT_THAT(fetch(redirect_to("/moved")).exchanges, IsEmpty());
  settings.keeps_captures = true;
  web.client_options.keep_request = true;
  const RobotsAnswer found = fetch({.status = 302, .body = "x", .fields = "Location: /moved\r\n"});
  ASSERT_EQ(found.exchanges.size(), 2u);
  const Exchange& redirect = found.exchanges[0];
  const Exchange& rules = found.exchanges[1];
  EXPECT_EQ(redirect.url, kRobotsUrl);
  EXPECT_EQ(rules.url, "http://a.example/moved");
  EXPECT_THAT(redirect.capture.request_head, HasSubstr("GET /robots.txt "));
  EXPECT_THAT(redirect.capture.response_head, HasSubstr("Location: /moved\r\n"));
  EXPECT_EQ(redirect.capture.cut, Cut::unread) << "only its head matters";
  EXPECT_EQ(rules.capture.payload, kForbidding);
  EXPECT_EQ(rules.capture.cut, Cut::none);
  for (const Exchange& exchange : found.exchanges) EXPECT_EQ(exchange.ts.seconds, 1'700'000'000);
}

TEST_F(RobotsFetch, CapturesSayWhyABodyIsIncomplete) {
  settings.keeps_captures = true;
  const RobotsAnswer large = fetch({.body = std::string(600'000, '#')});
  ASSERT_EQ(large.exchanges.size(), 1u);
  EXPECT_EQ(large.exchanges[0].capture.cut, Cut::length);
  const RobotsAnswer cut = fetch({.body = std::string(1000, '#'), .is_cut = true});
  ASSERT_EQ(cut.exchanges.size(), 1u);
  EXPECT_EQ(cut.exchanges[0].capture.cut, Cut::disconnect);
  EXPECT_THAT(cut.exchanges[0].capture.payload, testing::StartsWith("###"));
  const RobotsAnswer missing = fetch({.status = 404});
  ASSERT_EQ(missing.exchanges.size(), 1u);
  EXPECT_EQ(missing.exchanges[0].capture.cut, Cut::none) << "its body is empty";
}

TEST_F(RobotsFetch, HoldsMemoryForTheTextAndItsCapture) {
  settings.keeps_captures = true;
  fetch({.body = std::string(300'000, '#')});
  EXPECT_GE(bytes_held, 600'000U);
  fetch({.status = 404, .body = std::string(300'000, '#')});
  EXPECT_EQ(bytes_held, 0U);
}

}  // namespace
}  // namespace gossamer::crawler

#include "serve/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::serve {
namespace {

using testing::HasSubstr;
using testing::Not;

const Addresses kAddresses = {
    .names = loopback_names(), .dashboard_port = 8080, .replay_port = 8081};
constexpr std::string_view kOrigin = "http://127.0.0.1:8080";
const std::string kToken(32, 'a');

Request with(std::vector<Request::Field> fields) {
  Request request;
  request.method = "GET";
  request.target = "/api/v1/archives";
  request.fields = std::move(fields);
  return request;
}

std::string admitted(std::vector<Request::Field> fields) {
  return admit_host(with(std::move(fields)), kAddresses, 8080).name;
}

TEST(Gate, AcceptsOnlyOurHostWithOurPort) {
  EXPECT_EQ(admitted({{"Host", "127.0.0.1:8080"}}), "127.0.0.1");
  EXPECT_EQ(admitted({{"host", "LocalHost:8080"}}), "localhost");
  EXPECT_EQ(admitted({{"Host", "[::1]:8080"}}), "[::1]");
  for (const std::string host :
       {"rebound.example:8080", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1:80800", "localhost.:8080",
        "127.0.0.1.evil.example:8080", "2130706433:8080", "127.1:8080", "[::ffff:127.0.0.1]:8080",
        "user@127.0.0.1:8080", ""}) {
    EXPECT_EQ(admitted({{"Host", host}}), "") << host;
  }
  EXPECT_EQ(admitted({}), "");
  EXPECT_EQ(admitted({{"Host", "127.0.0.1:8080"}, {"Host", "127.0.0.1:8080"}}), "");
  EXPECT_EQ(admit_host(with({{"Host", "evil:8080"}}), kAddresses, 8080).rejection.status, 421);
}

int rejected(std::vector<Request::Field> fields) {
  const auto response = reject_api_request(with(std::move(fields)), kOrigin, kToken);
  return response ? response->status : 0;
}

TEST(Gate, ApiRequiresTheToken) {
  const std::string right = "Bearer " + kToken;
  EXPECT_EQ(rejected({{"Authorization", right}}), 0);
  EXPECT_EQ(rejected({{"authorization", "bearer " + kToken}}), 0);
  EXPECT_EQ(rejected({}), 401);
  EXPECT_EQ(rejected({{"Authorization", kToken}}), 401);
  EXPECT_EQ(rejected({{"Authorization", "Bearer " + std::string(31, 'a')}}), 401);
  EXPECT_EQ(rejected({{"Authorization", "Bearer " + std::string(31, 'a') + "b"}}), 401);
  EXPECT_EQ(rejected({{"Authorization", "Bearer "}}), 401);
  EXPECT_EQ(rejected({{"Authorization", right}, {"Authorization", right}}), 401);
  // Neither a cookie nor a query is the place of the token: browsers send those by themselves.
  EXPECT_EQ(rejected({{"Cookie", "token=" + kToken}}), 401);
}

TEST(Gate, RejectsRequestsOfOtherOrigins) {
  const Request::Field token = {"Authorization", "Bearer " + kToken};
  EXPECT_EQ(rejected({token, {"Origin", std::string(kOrigin)}}), 0);
  EXPECT_EQ(rejected({token, {"Origin", "null"}}), 403);
  EXPECT_EQ(rejected({token, {"Origin", "http://127.0.0.1:8081"}}), 403);
  EXPECT_EQ(rejected({token, {"Origin", "https://evil.example"}}), 403);
  EXPECT_EQ(rejected({token, {"Origin", std::string(kOrigin)}, {"Origin", "null"}}), 403);
  EXPECT_EQ(rejected({token, {"Sec-Fetch-Site", "same-origin"}}), 0);
  EXPECT_EQ(rejected({token, {"Sec-Fetch-Site", "none"}}), 0);
  EXPECT_EQ(rejected({token, {"Sec-Fetch-Site", "same-site"}}), 403);
  EXPECT_EQ(rejected({token, {"Sec-Fetch-Site", "cross-site"}}), 403);
}

TEST(Gate, PolicyOfTheDashboardAllowsOnlyItsOwnFiles) {
  EXPECT_EQ(dashboard_policy("http://127.0.0.1:8081"),
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            "img-src 'self'; frame-src http://127.0.0.1:8081; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'");
}

TEST(Gate, PolicyOfReplayAllowsOnlyTheArchive) {
  EXPECT_EQ(replay_policy("http://d:1", "http://r:2", false),
            "sandbox; default-src http://r:2 data: blob:; style-src http://r:2 'unsafe-inline' "
            "data:; script-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors http://d:1");
  const std::string scripts = replay_policy("http://d:1", "http://r:2", true);
  EXPECT_THAT(scripts, HasSubstr("sandbox allow-scripts; "));
  EXPECT_THAT(scripts, Not(HasSubstr("allow-same-origin")));
  EXPECT_THAT(scripts, HasSubstr("connect-src http://r:2; webrtc 'block';"));
  EXPECT_THAT(replay_policy("http://d:1", "http://r:2", false, true),
              Not(HasSubstr("frame-ancestors")));
}

TEST(Gate, TokensAreComparedAsAWhole) {
  EXPECT_TRUE(equals_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equals_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equals_in_constant_time("abc", "ab"));
  EXPECT_FALSE(equals_in_constant_time("", "a"));
}

}  // namespace
}  // namespace gossamer::serve

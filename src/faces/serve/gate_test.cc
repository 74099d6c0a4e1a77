#include "serve/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::serve {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kOrigin = "http://127.0.0.1:8080";
const std::string kToken(32, 'a');

server::Request with(std::vector<server::Request::Field> fields) {
  server::Request request;
  request.method = "GET";
  request.target = "/api/v1/archives";
  request.fields = std::move(fields);
  return request;
}

int rejected(std::vector<server::Request::Field> fields) {
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
  const server::Request::Field token = {"Authorization", "Bearer " + kToken};
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
  EXPECT_THAT(scripts, testing::EndsWith("; frame-ancestors 'none'")) << "only in a tab";
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

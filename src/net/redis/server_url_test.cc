#include "redis/server_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gossamer::redis {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string failure(std::string_view text) {
  const auto url = parse_server_url(text);
  return url ? "none" : url.error().to_string();
}

TEST(ServerUrl, HasSeedsUserAndName) {
  const auto url = parse_server_url("rediss://worker@node1:7000,[::1]:7001,10.0.0.7/museum");
  ASSERT_TRUE(url.has_value()) << url.error().to_string();
  EXPECT_TRUE(url->is_tls);
  EXPECT_EQ(url->user, "worker");
  EXPECT_EQ(url->crawl, "museum");
  ASSERT_EQ(url->seeds.size(), 3u);
  EXPECT_EQ(url->seeds[0], (Node{.host = "node1", .port = 7000}));
  EXPECT_EQ(url->seeds[1], (Node{.host = "[::1]", .port = 7001}));
  EXPECT_EQ(url->seeds[2], (Node{.host = "10.0.0.7", .port = 6379}));
  EXPECT_EQ(url->to_string(), "rediss://worker@node1:7000,[::1]:7001,10.0.0.7:6379/museum");
}

TEST(ServerUrl, PasswordsAreRejectedAndNotRepeated) {
  const std::string said = failure("redis://user:secret@node1/museum");
  EXPECT_THAT(said, HasSubstr("GOSSAMER_REDIS_PASSWORD"));
  EXPECT_THAT(said, Not(HasSubstr("secret")));
  EXPECT_THAT(failure("redi://user:secret@node1/museum"), Not(HasSubstr("secret")));
  EXPECT_THAT(failure("redis://user:secret@node1/"), Not(HasSubstr("secret")));
  for (const std::string_view text : {"redis://default:secret/museum", "redis://default:secret",
                                      "redis://:secret/museum", "redis://node1:secret,b/museum"}) {
    EXPECT_THAT(failure(text), HasSubstr("invalid_argument"));
    EXPECT_THAT(failure(text), Not(HasSubstr("secret"))) << text;
  }
}

TEST(ServerUrl, RejectsOtherTexts) {
  for (const std::string_view text :
       {"", "node1", "http://node1/museum", "redis://", "redis:///museum", "redis://node1",
        "redis://node1/", "redis://node1/a b", "redis://node1/{a}", "redis://node1/a/b",
        "redis://node1:0/a", "redis://node1:70000/a", "redis://node1:/a", "redis://a,,b/c",
        "redis://[::1/a", "redis://[::1]7/a", "redis://::1/a", "redis://@node1/a",
        "redis://no de/a"}) {
    EXPECT_THAT(failure(text), HasSubstr("invalid_argument")) << text;
  }
  EXPECT_THAT(failure("redis://a/" + std::string(65, 'x')), HasSubstr("invalid_argument"));
}

TEST(Node, IsReadAsServersWriteIt) {
  EXPECT_EQ(parse_node("10.0.0.7:7000")->to_string(), "10.0.0.7:7000");
  EXPECT_EQ(parse_node("::1:7000")->to_string(), "[::1]:7000");
  EXPECT_EQ(parse_node("[::1]:7000")->to_string(), "[::1]:7000");
  for (const std::string_view text : {"", ":", "a", "a:", ":1", "a:x", "a:0", "a\r\nb:1"}) {
    EXPECT_FALSE(parse_node(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace gossamer::redis

#include "redis/server_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gossamer::redis {
namespace {

using Action = Advice::Action;

const Node kSender = {.host = "10.0.0.1", .port = 7000};

TEST(ServerError, RedirectionsNameTheServer) {
  const Advice moved = advice_for("MOVED 3999 10.0.0.2:7001", kSender);
  EXPECT_EQ(moved.action, Action::follow);
  EXPECT_EQ(moved.slot, 3999);
  EXPECT_EQ(moved.node, (Node{.host = "10.0.0.2", .port = 7001}));
  const Advice ask = advice_for("ASK 16383 :7002", kSender);
  EXPECT_EQ(ask.action, Action::ask);
  EXPECT_EQ(ask.node, (Node{.host = "10.0.0.1", .port = 7002})) << "no host: that of the sender";
}

TEST(ServerError, BrokenRedirectionsAreReported) {
  for (const std::string_view message : {"MOVED", "MOVED x a:1", "MOVED 16384 a:1", "MOVED 1 a",
                                         "ASK 1", "ASK -1 a:1", "MOVED 1 \r:1", ""}) {
    EXPECT_EQ(advice_for(message, kSender).action, Action::report) << message;
  }
}

TEST(ServerError, ServersThatAreNotReadyAreTriedLater) {
  for (const std::string_view message :
       {"TRYAGAIN Multiple keys", "LOADING Redis is loading", "MASTERDOWN Link with MASTER is down",
        "NOREPLICAS Not enough good replicas", "MISCONF Errors writing to the AOF file",
        "ERR max number of clients reached",
        "ERR max number of clients + cluster connections reached"}) {
    EXPECT_EQ(advice_for(message, kSender).action, Action::try_later) << message;
    EXPECT_EQ(error_of(message, kSender).code(), Errc::unavailable) << message;
  }
}

TEST(ServerError, AnotherServerMayKnowTheOwner) {
  for (const std::string_view message :
       {"READONLY You can't write", "CLUSTERDOWN Hash slot not served"}) {
    EXPECT_EQ(advice_for(message, kSender).action, Action::refresh) << message;
    EXPECT_EQ(error_of(message, kSender).code(), Errc::unavailable) << message;
  }
}

TEST(ServerError, OtherErrorsHaveACode) {
  EXPECT_EQ(error_of("NOAUTH Authentication required.", kSender).code(), Errc::denied);
  EXPECT_EQ(error_of("OOM command not allowed", kSender).code(), Errc::no_space);
  EXPECT_EQ(error_of("FROZEN partition 3", kSender).code(), Errc::unavailable);
  EXPECT_EQ(error_of("ERR Function not found", kSender).code(), Errc::unavailable);
  EXPECT_EQ(error_of("PENDING orders", kSender).code(), Errc::unavailable);
  EXPECT_EQ(error_of("GONE partition 3", kSender).code(), Errc::not_found);
  EXPECT_EQ(error_of("ERR wrong number", kSender).code(), Errc::internal);
  EXPECT_EQ(error_of(std::string(10'000, 'x'), kSender).detail().size(), 300u + 15u);
}

}  // namespace
}  // namespace gossamer::redis

#include "async/descriptor_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <tests/support/driver_test.h>

#include <memory>

namespace gossamer::async {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// Restores the process's limit for the tests after this one.
class DescriptorLimitTest : public testing::Test {
 protected:
  DescriptorLimitTest() { getrlimit(RLIMIT_NOFILE, &before_); }
  ~DescriptorLimitTest() override { setrlimit(RLIMIT_NOFILE, &before_); }

  rlimit before_ = {};
};

TEST_F(DescriptorLimitTest, RaisingGoesUpToTheHardLimit) {
  rlimit low = before_;
  low.rlim_cur = std::min<rlim_t>(256, before_.rlim_max);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const DescriptorLimit raised = raise_descriptor_limit();
  EXPECT_EQ(raised.now, before_.rlim_max);
  EXPECT_EQ(raised.most, before_.rlim_max);
  rlimit now = {};
  getrlimit(RLIMIT_NOFILE, &now);
  EXPECT_EQ(now.rlim_cur, before_.rlim_max);
}

TEST_F(DescriptorLimitTest, RaisingTwiceChangesNothing) {
  const DescriptorLimit first = raise_descriptor_limit();
  const DescriptorLimit second = raise_descriptor_limit();
  EXPECT_EQ(first.now, second.now);
  EXPECT_EQ(first.most, second.most);
}

TEST_F(DescriptorLimitTest, OnEpollEveryConnectionNeedsADescriptor) {
  const auto driver = make_driver(DriverKind::epoll);
  ASSERT_TRUE(driver.has_value());
  const DescriptorLimit limit = {.now = 1024, .most = 1024};
  const std::uint64_t possible = connections_possible(limit, **driver);
  EXPECT_LT(possible, 1024u);
  EXPECT_GT(possible, 900u);
  EXPECT_THAT(advice_for_connections(possible, limit, **driver), IsEmpty());
  EXPECT_THAT(advice_for_connections(5000, limit, **driver),
              AllOf(HasSubstr("5000 concurrent connections"), HasSubstr("epoll"), HasSubstr("1024"),
                    HasSubstr("ulimit -Hn"), HasSubstr("LimitNOFILE=")));
}

TEST_F(DescriptorLimitTest, GivesHalfOfATinyLimitToConnections) {
  const auto driver = make_driver(DriverKind::epoll);
  ASSERT_TRUE(driver.has_value());
  EXPECT_EQ(connections_possible({.now = 64, .most = 64}, **driver), 32u);
  EXPECT_EQ(connections_possible({.now = 1, .most = 1}, **driver), 0u);
  // The advised limit is sufficient.
  EXPECT_THAT(advice_for_connections(40, {.now = 64, .most = 64}, **driver), HasSubstr("to 80"));
  EXPECT_EQ(connections_possible({.now = 80, .most = 80}, **driver), 40u);
}

TEST_F(DescriptorLimitTest, IoUringIsNotBoundByTheLimit) {
  const auto driver = make_driver(DriverKind::io_uring);
  if (!driver) GTEST_SKIP() << driver.error().to_string();
  const DescriptorLimit limit = {.now = 1024, .most = 1024};
  EXPECT_GT(connections_possible(limit, **driver), 1024u);
  EXPECT_THAT(advice_for_connections(1024, limit, **driver), IsEmpty());
}

}  // namespace
}  // namespace gossamer::async

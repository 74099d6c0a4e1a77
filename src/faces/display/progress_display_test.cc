#include "display/progress_display.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::display {
namespace {

crawler::FetchRecord answer(std::string url, Duration took) {
  crawler::FetchRecord record;
  record.url = std::move(url);
  record.status = 200;
  record.facts.total = took;
  return record;
}

TEST(HostTimesTest, KnowTheSlowestHosts) {
  HostTimes times;
  times.add(answer("http://a.example/x", 100ms));
  times.add(answer("http://b.example:81/", 300ms));
  times.add(answer("http://c.example/", 200ms));
  const auto slowest = times.slowest(2);
  ASSERT_EQ(slowest.size(), 2u);
  EXPECT_EQ(slowest[0].host, "b.example:81");
  EXPECT_EQ(slowest[0].took, 300ms);
  EXPECT_EQ(slowest[1].host, "c.example");
}

TEST(HostTimesTest, ForgetOldTimes) {
  HostTimes times;
  times.add(answer("http://a.example/", 10s));
  for (int i = 0; i < 30; ++i) times.add(answer("http://a.example/", 10ms));
  EXPECT_LT(times.slowest(1)[0].took, 20ms);
}

TEST(HostTimesTest, IgnoreFailures) {
  HostTimes times;
  crawler::FetchRecord failure = answer("http://a.example/", 1s);
  failure.status.reset();
  times.add(failure);
  EXPECT_TRUE(times.slowest(3).empty());
}

TEST(HostTimesTest, KeepTheMostRecentHosts) {
  HostTimes times;
  for (std::size_t i = 0; i <= HostTimes::kHostsMax; ++i) {
    times.add(answer(fmt::format("http://h{}.example/", i), Duration(i)));
  }
  const auto all = times.slowest(HostTimes::kHostsMax);
  EXPECT_LT(all.size(), HostTimes::kHostsMax * 2 / 3);
  EXPECT_EQ(all.front().host, fmt::format("h{}.example", HostTimes::kHostsMax));
}

}  // namespace
}  // namespace gossamer::display

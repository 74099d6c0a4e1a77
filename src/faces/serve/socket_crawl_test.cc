#include "serve/socket_crawl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulated/world.h"

namespace gossamer::serve {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(WhyNotFinished, NamesTheReason) {
  run::CrawlProgress status;
  status.waiting = 100;
  status.in_flight = 8;
  EXPECT_THAT(why_not_finished(status, 10), HasSubstr("100 URLs are queued and 8 in flight"));
  EXPECT_THAT(why_not_finished(status, 10), HasSubstr("11 s"));
  status.in_flight = 0;
  status.pauses = {{.host = "a.example", .left = 5s, .is_silent = true}};
  EXPECT_THAT(why_not_finished(status, 0), HasSubstr("a.example does not answer; 5 s left"));
  status.state = "paused";
  EXPECT_THAT(why_not_finished(status, 0), StartsWith("The crawl is paused"));
}

// BORROWS: the stream.
async::Task<Result<std::string>> read_some(server::BodyStream& stream) {
  co_return co_await stream.next();
}

TEST(LiveEvents, SayThatACrawlIsGoneAndEnd) {
  const SocketCrawl crawl("/nowhere");
  std::size_t streams = 0;
  {
    const auto stream = live_events(crawl, 3, streams);
    EXPECT_EQ(streams, 1);
    auto world = sim::World::calm();
    const auto first = world.run(read_some(*stream));
    ASSERT_TRUE(first);
    EXPECT_THAT(*first, StartsWith("id: 0\nevent: gone\ndata: {\"crawl\": 3, \"status\": null"));
    EXPECT_EQ(*world.run(read_some(*stream)), "");
  }
  EXPECT_EQ(streams, 0);
}

}  // namespace
}  // namespace gossamer::serve

// Tests the results of URLs in a job whose hosts fail: each has one record, whenever the process
// dies.

#include <gtest/gtest.h>
#include <tests/support/job_process.h>
#include <tests/support/test_web.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "settings/crawl_settings.h"
#include "tests/simulated/disk.h"

namespace gossamer::run {
namespace {

// A crawl directory without an archive, and processes at work there.
class JobEnds : public testing::Test {
 protected:
  // Gives what the web heard. With `operations` it dies before so many.
  crawler::Crawled crawl(std::vector<std::string> roots, std::uint32_t failures_max,
                         std::uint64_t operations = 0) {
    web_.disk = storage_.disk;
    CrawlSettings settings;
    settings.roots = std::move(roots);
    settings.politeness.failures_max = failures_max;
    settings.politeness.outage_max = Duration::zero();
    settings.tries_max = 2;
    settings.scope.depth_max = depth_max_;
    settings.time_max = time_max_;
    settings.job.has_archive = false;
    settings.job.refreshes = refreshes_;
    sim::JobProcess process(std::move(settings),
                            {.operations = operations, .memory_bytes = memory_bytes_}, storage_, 1);
    auto crawled = web_.visit([&process](crawler::World& world) {
      return process.run(*world.resolver, world.wall_start);
    });
    if (operations == 0) EXPECT_EQ(process.failure(), "");
    operations_ = process.operations();
    storage_.reopen();
    return crawled;
  }
  std::set<std::string> pages() const { return sim::pages_in(storage_.tables); }
  bool waits() const { return sim::has_waiting(storage_.tables); }
  void begin_anew() { storage_ = support::SimulatedStorage(std::make_shared<sim::Disk>()); }

  crawler::TestWeb web_;
  support::SimulatedStorage storage_{std::make_shared<sim::Disk>()};
  std::optional<std::uint16_t> depth_max_;
  std::optional<Duration> time_max_;
  std::uint64_t memory_bytes_ = 64 * 1024 * 1024;
  bool refreshes_ = false;
  std::uint64_t operations_ = 0;  // of the last process
};

// Some of it waits when the host is given up, some is in flight, and some is found later.
TEST_F(JobEnds, AllOfAHostThatIsGivenUpIsFetchedByAnotherProcess) {
  web_.page("http://a.test/", {"/1", "/2", "/3", "/4", "/5", "/6"});
  web_.at("http://b.test/", {.body = "<a href=http://a.test/late>", .delay = 10s});
  web_.otherwise("a.test", {.body = "leaf"});
  std::optional<Instant> begun;
  web_.decide = [&](const std::string& url, Instant now) -> std::optional<crawler::Reply> {
    if (!begun) begun = now;
    const std::string_view page = "http://a.test/";
    const bool is_down =
        url.starts_with(page) && url.size() == page.size() + 1 && now - *begun < 1h;
    if (!is_down) return std::nullopt;
    return crawler::Reply{
        .body = "x", .delay = std::chrono::milliseconds(100 * (url.back() - '0')), .is_cut = true};
  };
  const std::vector<std::string> roots = {"http://a.test/", "http://b.test/"};
  EXPECT_TRUE(crawl(roots, 1).problems.empty());
  EXPECT_EQ(pages(), (std::set<std::string>{"http://a.test/", "http://b.test/"}));
  EXPECT_TRUE(waits());
  begun = Instant(Duration(-2h));
  EXPECT_TRUE(crawl(roots, 1).problems.empty());
  EXPECT_EQ(pages().size(), 9u);
  EXPECT_FALSE(waits());
}

TEST_F(JobEnds, AHostThatAskedForALongPauseIsLeftUntilThen) {
  web_.page("http://a.test/", {"/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"});
  web_.at("http://a.test/robots.txt", {.status = 404});
  web_.otherwise("a.test", {.status = 503, .fields = "Retry-After: 7200\r\n"});
  EXPECT_TRUE(crawl({"http://a.test/"}, 5).problems.empty());
  EXPECT_GT(pages().size(), 1u) << "the responses with the pause are stored";
  EXPECT_TRUE(waits());
  const auto second = crawl({"http://a.test/"}, 5);
  EXPECT_TRUE(second.heard.empty()) << "it is too early";
  EXPECT_LT(second.took, 1min);
  EXPECT_TRUE(waits());
}

// No page of a lower level is open then, so nothing of a lower level ends.
TEST_F(JobEnds, AFailureOfADeepLevelIsRetried) {
  depth_max_ = 2;
  time_max_ = 1h;
  web_.page("http://a.test/", {"/1"});
  web_.page("http://a.test/1", {"/2"});
  web_.at("http://a.test/2", {.status = 500});
  EXPECT_TRUE(crawl({"http://a.test/"}, 5).problems.empty());
  web_.page("http://a.test/2", {});
  const auto second = crawl({"http://a.test/"}, 5);
  EXPECT_LT(second.took, 1min);
  EXPECT_EQ(second.times_asked("http://a.test/2"), 1u);
  EXPECT_FALSE(waits());
}

// With little memory, the queue is written and read while it is filled.
TEST_F(JobEnds, ARefreshFetchesEachPageOnceWheneverTheProcessDies) {
  memory_bytes_ = 640;
  web_.page("http://a.test/", {"/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"});
  web_.otherwise("a.test", {.body = "leaf"});
  const std::vector<std::string> roots = {"http://a.test/"};
  crawl(roots, 5);
  refreshes_ = true;
  crawl(roots, 5);
  const std::uint64_t operations = operations_;
  for (std::uint64_t last = 1; last <= operations; ++last) {
    begin_anew();
    refreshes_ = false;
    crawl(roots, 5);
    refreshes_ = true;
    const auto first = crawl(roots, 5, last);
    const auto second = crawl(roots, 5);
    for (const std::string& url : pages()) {
      EXPECT_LE(first.times_asked(url), 1u) << url << ", operation " << last;
      EXPECT_LE(second.times_asked(url), 1u) << url << ", operation " << last;
      EXPECT_GE(first.times_asked(url) + second.times_asked(url), 1u) << url << ", " << last;
    }
    EXPECT_FALSE(waits()) << "it died before operation " << last;
  }
}

// The host is given up in every process, so its failures stay queued.
TEST_F(JobEnds, AFailureIsQueuedOnceHoweverOftenTheCrawlIsResumed) {
  web_.page("http://a.test/", {"/1", "/2"});
  web_.at("http://a.test/1", {.status = 500});
  web_.page("http://a.test/2", {});
  crawl({"http://a.test/"}, 5);
  web_.decide = [](const std::string&, Instant) -> std::optional<crawler::Reply> {
    return crawler::Reply{.body = "x", .is_cut = true};
  };
  for (int i = 0; i < 4; ++i) crawl({"http://a.test/"}, 1);
  EXPECT_TRUE(waits());
  web_.decide = nullptr;
  web_.page("http://a.test/1", {});
  EXPECT_EQ(crawl({"http://a.test/"}, 5).times_asked("http://a.test/1"), 1u);
  EXPECT_FALSE(waits());
}

TEST_F(JobEnds, RedirectsToAHostThatIsGivenUpEndOnce) {
  web_.page("http://a.test/", {"/1", "/2", "/3", "/4"});
  for (const char* const n : {"1", "2", "3"}) {
    web_.at(std::string("http://a.test/") + n,
            crawler::redirect_to(std::string("http://dead.test/") + n));
  }
  web_.page("http://a.test/4", {});
  EXPECT_TRUE(crawl({"http://a.test/", "http://dead.test/"}, 5).problems.empty());
  EXPECT_EQ(pages().size(), 9u);  // each once, those of the dead host as failures
  EXPECT_FALSE(waits());
}

// The page that leads there may have ended long before its link has: the link is kept, too.
TEST_F(JobEnds, LinksToAHostThatIsGivenUpHaveTheirRecordsWheneverTheProcessDies) {
  web_.page("http://a.test/", {"/1"});
  web_.page("http://a.test/1", {"http://dead.test/1", "http://dead.test/2", "/2"});
  web_.page("http://a.test/2", {"http://dead.test/3"});
  const std::vector<std::string> roots = {"http://a.test/", "http://dead.test/"};
  crawl(roots, 1);
  const std::set<std::string> all = pages();
  ASSERT_TRUE(all.contains("http://dead.test/3"));
  const std::uint64_t operations = operations_;
  for (std::uint64_t last = 1; last <= operations; ++last) {
    begin_anew();
    crawl(roots, 1, last);
    crawl(roots, 1);
    EXPECT_EQ(pages(), all) << "it died before operation " << last;
    EXPECT_FALSE(waits()) << "it died before operation " << last;
  }
}

}  // namespace
}  // namespace gossamer::run

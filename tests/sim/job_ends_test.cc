// Tests the results of URLs in a job whose hosts fail: each has one record, whenever the process
// dies.

#include <gtest/gtest.h>
#include <tests/sim/job_process.h>
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

#include "run/crawl_settings.h"
#include "tests/simulated/disk.h"

namespace gossamer::sim {
namespace {

// A crawl directory without an archive, and processes at work there.
class JobEnds : public testing::Test {
 protected:
  // Gives what the web heard. With `operations` it dies before so many.
  crawler::Crawled crawl(std::vector<std::string> roots, std::uint32_t failures_max,
                         std::uint64_t operations = 0) {
    web_.disk = storage_.disk;
    run::CrawlSettings settings;
    settings.roots = std::move(roots);
    settings.politeness.failures_max = failures_max;
    settings.politeness.outage_max = Duration::zero();
    settings.tries_max = 2;
    settings.job.has_archive = false;
    JobProcess process(std::move(settings), {.operations = operations}, storage_, 1);
    auto crawled = web_.visit([&process](crawler::World& world) {
      return process.run(*world.resolver, world.wall_start);
    });
    if (operations == 0) EXPECT_EQ(process.failure(), "");
    operations_ = process.operations();
    storage_.reopen();
    return crawled;
  }
  std::set<std::string> pages() const { return pages_in(storage_.tables); }
  bool waits() const { return has_waiting(storage_.tables); }
  void begin_anew() { storage_ = support::SimulatedStorage(std::make_shared<Disk>()); }

  crawler::TestWeb web_;
  support::SimulatedStorage storage_{std::make_shared<Disk>()};
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
}  // namespace gossamer::sim

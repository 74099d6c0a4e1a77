#include "run/page_stream.h"

#include <gtest/gtest.h>
#include <tests/support/server_thread.h>
#include <tests/support/temporary_folder.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <semaphore>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/socket.h"
#include "frontier/site_number.h"
#include "site/comparison.h"
#include "site/site.h"
#include "tests/site_server/site_server.h"

namespace gossamer::run {
namespace {

// A synthetic site for a ServerThread.
class ServedSite {
 public:
  explicit ServedSite(std::size_t pages) : pages_(pages) {}

  Result<void> listen() {
    auto listener = async::Listener::bind(async::Endpoint::loopback(0));
    if (!listener) return fail(std::move(listener).error());
    port_ = listener->endpoint().port;
    site_.emplace(site::SiteOptions{.pages = pages_, .hosts = {listener->endpoint().to_string()}});
    server_.emplace(*site_);
    listener_.emplace(std::move(*listener));
    return {};
  }
  // BORROWS: the site.
  async::Task<Result<void>> run() { co_return co_await server_->run(std::move(*listener_)); }
  std::uint16_t port() const { return port_; }
  const site::Site& site() const { return *site_; }
  std::size_t requests() const { return server_->log().size(); }

 private:
  const std::size_t pages_;
  std::uint16_t port_ = 0;
  std::optional<site::Site> site_;
  std::optional<site::SiteServer> server_;
  std::optional<async::Listener> listener_;
};

using SiteThread = support::ServerThread<ServedSite>;

CrawlSettings settings_for(const SiteThread& thread) {
  return CrawlSettings(thread.server().site().root());
}

site::CrawledUrl as_crawled(const Page& page) {
  return {page.url(), page.status(), page.redirects_to()};
}

void expect_all(const SiteThread& thread, const std::vector<site::CrawledUrl>& crawled) {
  const site::Site& site = thread.server().site();
  const site::Comparison comparison = site::compare(site.layout(), site.truth(), crawled);
  EXPECT_TRUE(comparison.is_equal()) << site::describe(comparison);
}

TEST(PageStreamTest, DeliversEveryPageOnce) {
  const SiteThread thread(300);
  std::vector<site::CrawledUrl> crawled;
  PageStream stream(settings_for(thread));
  EXPECT_EQ(stream.result(), nullptr);
  for (const Page& page : stream) crawled.push_back(as_crawled(page));
  expect_all(thread, crawled);
  ASSERT_NE(stream.result(), nullptr);
  ASSERT_TRUE(*stream.result());
  EXPECT_EQ((*stream.result())->reason, crawler::EndReason::finished);
  EXPECT_EQ((*stream.result())->statistics.pages, crawled.size());
  EXPECT_FALSE(stream.next_page());
}

// BORROWS: both.
async::Task<void> take_all(PageStream& stream, std::vector<site::CrawledUrl>& crawled) {
  while (auto page = co_await stream.next()) crawled.push_back(as_crawled(*page));
}

TEST(PageStreamTest, DeliversPagesToACoroutineOfAnotherLoop) {
  const SiteThread thread(300);
  std::vector<site::CrawledUrl> crawled;
  PageStream stream(settings_for(thread));
  async::Loop loop;
  loop.run(take_all(stream, crawled));
  expect_all(thread, crawled);
}

TEST(PageStreamTest, HasBodiesIfEnabled) {
  const SiteThread thread(20);
  CrawlSettings settings = settings_for(thread);
  settings.keeps_bodies = true;
  std::size_t titles = 0;
  for (const Page& page : PageStream(std::move(settings))) {
    if (page.title().empty()) continue;
    EXPECT_NE(page.body().find("<title"), std::string::npos);
    ++titles;
  }
  EXPECT_GT(titles, 0U);
}

TEST(PageStreamTest, HasHeadsIfEnabled) {
  const SiteThread thread(20);
  CrawlSettings settings = settings_for(thread);
  settings.keeps_heads = true;
  for (const Page& page : PageStream(std::move(settings))) {
    if (page.status() == 0) continue;
    EXPECT_TRUE(page.head().starts_with("HTTP/1.1 " + std::to_string(page.status())))
        << page.head();
    EXPECT_NE(page.head().find("\r\n"), std::string::npos);
    EXPECT_FALSE(page.headers().empty());
  }
  for (const Page& page : PageStream(settings_for(thread))) EXPECT_EQ(page.head(), "");
}

TEST(PageStreamTest, DeliversPagesToAThreadThatWaitsElsewhere) {
  const SiteThread thread(300);
  CrawlSettings settings = settings_for(thread);
  ASSERT_TRUE(complete(settings));
  PageStream stream = PageStream::of_completed(std::move(settings));
  std::vector<site::CrawledUrl> crawled;
  std::binary_semaphore has_news(0);
  for (bool has_ended = false; !has_ended;) {
    const auto page = stream.try_next(has_ended, [&has_news] { has_news.release(); });
    if (page) {
      crawled.push_back(as_crawled(*page));
    } else if (!has_ended) {
      has_news.acquire();
    }
  }
  ASSERT_NE(stream.result(), nullptr);
  expect_all(thread, crawled);
}

TEST(PageStreamTest, WakesAConsumerThoughAnotherTookThePage) {
  const SiteThread thread(5);
  for (int i = 0; i < 10; ++i) {
    std::counting_semaphore<> has_news(0);
    PageStream stream(settings_for(thread));
    // The last call that finds no page waits for news. The next one takes the page, often before
    // the news is told.
    bool has_ended = false;
    bool waits = false;
    std::optional<Page> page;
    while (!page) {
      page = stream.try_next(has_ended, [&has_news] { has_news.release(); });
      waits = waits || !page;
    }
    if (waits) EXPECT_TRUE(has_news.try_acquire_for(std::chrono::seconds(20)));
  }
}

TEST(PageStreamTest, LeavingEarlyStopsTheCrawl) {
  SiteThread thread(5000);
  std::size_t count = 0;
  for (const Page& page : PageStream(settings_for(thread))) {
    EXPECT_FALSE(page.url().empty());
    if (++count == 3) break;
  }
  // One request was sent per waiting page, up to the concurrency of the crawl.
  EXPECT_LT(thread.ask([](ServedSite& site) { return site.requests(); }), 1000U);
}

TEST(PageStreamTest, CanBeDestroyedBeforeTheFirstPage) {
  const SiteThread thread(50);
  const PageStream stream(settings_for(thread));
}

TEST(PageStreamTest, ALaterRunDeliversTheRest) {
  const SiteThread thread(300);
  const tests::TemporaryFolder folder;
  std::multiset<std::string> urls;
  std::vector<site::CrawledUrl> crawled;
  for (int run = 0; run < 50; ++run) {
    CrawlSettings settings = settings_for(thread);
    settings.job.folder = folder.path() + "/job";
    PageStream stream(std::move(settings));
    std::size_t count = 0;
    bool has_ended = true;
    for (const Page& page : stream) {
      urls.insert(page.url());
      if (urls.count(page.url()) == 1) crawled.push_back(as_crawled(page));
      if (++count == 40) {
        has_ended = false;
        break;
      }
    }
    if (has_ended) break;
  }
  expect_all(thread, crawled);
  // A page counts as fetched when the consumer takes the next one or leaves.
  for (const std::string& url : urls) EXPECT_EQ(urls.count(url), 1U) << url;
}

TEST(PageStreamTest, IsStoppedFromAnotherThread) {
  const SiteThread thread(5000);
  PageStream stream(settings_for(thread));
  ASSERT_TRUE(stream.next_page());
  std::thread([&stream] { stream.stop(); }).join();
  std::size_t rest = 0;
  while (stream.next_page()) ++rest;
  EXPECT_LT(rest, 1000U);
  ASSERT_TRUE(*stream.result());
  EXPECT_EQ((*stream.result())->reason, crawler::EndReason::interrupted);
}

// Each page is delivered once, however a run ends.
void stop_again_and_again(std::uint32_t loops) {
  const SiteThread thread(300);
  const tests::TemporaryFolder folder;
  std::multiset<std::string> urls;
  std::vector<site::CrawledUrl> crawled;
  for (bool has_ended = false; !has_ended;) {
    CrawlSettings settings = settings_for(thread);
    settings.job.folder = folder.path() + "/job";
    settings.grace = Duration::zero();
    settings.threads = loops;
    PageStream stream(std::move(settings));
    std::size_t count = 0;
    for (const Page& page : stream) {
      if (urls.count(page.url()) == 0) crawled.push_back(as_crawled(page));
      urls.insert(page.url());
      if (++count >= 40) stream.stop();
    }
    has_ended = count < 40;
  }
  expect_all(thread, crawled);
  for (const std::string& url : urls) EXPECT_EQ(urls.count(url), 1U) << url;
}

TEST(PageStreamTest, DeliversPagesInFlightAfterAStop) { stop_again_and_again(1); }

// The site belongs to another loop than the first.
TEST(PageStreamTest, DeliversPagesInFlightOnAnotherLoopAfterAStop) {
  std::uint32_t loops = 2;
  const auto is_of_first = [](std::uint32_t count) {
    return crawler::SiteShare{.index = 0, .count = count}.has(crawler::site_number("127.0.0.1"));
  };
  while (is_of_first(loops)) ++loops;
  stop_again_and_again(loops);
}

TEST(PageStreamTest, CanBePausedBeforeItsFirstPage) {
  const SiteThread thread(50);
  PageStream stream(settings_for(thread));
  stream.pause();
  EXPECT_TRUE(stream.progress().is_paused());
  stream.resume();
  EXPECT_TRUE(stream.next_page());
}

TEST(PageStreamTest, ReportsProgress) {
  const SiteThread thread(300);
  PageStream stream(settings_for(thread));
  ASSERT_TRUE(stream.next_page());
  EXPECT_EQ(stream.progress().hosts, 1U);
  stream.pause();
  EXPECT_TRUE(stream.progress().is_paused());
  stream.resume();
  EXPECT_FALSE(stream.progress().is_paused());
}

TEST(PageStreamTest, CallsTheHooksOfEveryLoop) {
  const SiteThread one(100);
  const SiteThread other(100);
  CrawlSettings settings = settings_for(one);
  settings.roots.push_back(other.server().site().root());
  settings.threads = 2;
  std::atomic<std::size_t> requests = 0;
  settings.hooks.edit_request = [&requests](http::Request&) { ++requests; };
  std::size_t count = 0;
  for (const Page& page : PageStream(std::move(settings))) count += page.status() != 0 ? 1 : 0;
  EXPECT_GT(count, 100U);
  EXPECT_GE(requests.load(), count);
}

TEST(PageStreamTest, SaysWhyItCannotStart) {
  PageStream stream(CrawlSettings("ftp://a.example/"));
  EXPECT_FALSE(stream.next_page());
  ASSERT_NE(stream.result(), nullptr);
  ASSERT_FALSE(*stream.result());
  EXPECT_EQ(stream.result()->error().part, Part::settings);
  EXPECT_EQ(stream.result()->error().error, Errc::invalid_argument);
}

TEST(PageStreamTest, SaysWhichPartCannotStart) {
  const SiteThread thread(10);
  CrawlSettings settings = settings_for(thread);
  settings.archive.file = "/dev/null/crawl";
  PageStream stream(std::move(settings));
  EXPECT_FALSE(stream.next_page());
  ASSERT_FALSE(*stream.result());
  EXPECT_EQ(stream.result()->error().part, Part::archive);
}

}  // namespace
}  // namespace gossamer::run

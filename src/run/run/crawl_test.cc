// Tests whole crawls on a simulated machine: what they archive, what stops them, what they say.
#include "run/crawl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <tests/support/simulated_machine.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/task.h"
#include "run/crawl_listener.h"
#include "run/job/job_store.h"
#include "settings/crawl_settings.h"
#include "store/tables.h"
#include "tests/simulated/disk.h"

namespace gossamer::run {
namespace {

using async::Task;
using crawler::EndReason;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A crawl, and a task beside it.
class CrawlCase : public testing::Test, public CrawlListener, public crawler::PageSink {
 protected:
  CrawlCase() { web_.disk = storage_.disk; }

  // Crawls from http://a.example/. `beside` runs 100 ms after the start.
  crawler::Crawled crawl(CrawlSettings settings,
                         std::move_only_function<Task<void>(Crawl& crawl)> beside = {}) {
    EXPECT_TRUE(complete(settings));
    said_.clear();
    end_.reset();
    auto crawled = web_.visit([&](crawler::World& world) {
      return live(*world.resolver, world.wall_start + later_, std::move(settings),
                  std::move(beside));
    });
    storage_.reopen();
    return crawled;
  }
  static CrawlSettings settings() {
    CrawlSettings settings("http://a.example/");
    settings.web.guard.allow_private = true;
    settings.detects_soft_404 = false;
    settings.politeness.host_concurrency = 1;
    return settings;
  }
  // In a crawl directory without an archive.
  static CrawlSettings stored() {
    CrawlSettings made = settings();
    made.job.folder = "job";
    made.job.has_archive = false;
    return made;
  }
  void add_pages(int pages, Duration delay) {
    web_.at("http://a.example/", crawler::page_of_links(pages));
    web_.otherwise("a.example", {.body = "a page", .delay = delay});
    web_.at("http://a.example/robots.txt", {.status = 404});
  }
  std::string state() const {
    return storage_.tables.get(store::Table::meta, kStateKey)->value_or("none");
  }

  Result<crawler::PageSink*> open_sink(const CrawlSettings&) override {
    if (sink_fails_to_open_) return fail(Errc::denied, "the file");
    return this;
  }
  void begin(const CrawlStart& start) override { start_ = start; }
  void say(const std::string& text) override { said_.push_back(text); }
  void stopping(bool is_second) override { stops_.push_back(is_second); }
  Task<Result<void>> close_sink() override {
    ++closes_;
    co_return {};
  }
  Task<Result<void>> put(crawler::Page page) override {
    urls_.push_back(page.record.url);
    if (sink_fails_at_ == urls_.size()) co_return fail(Errc::no_space, "the file");
    co_return {};
  }

  crawler::TestWeb web_;
  support::SimulatedStorage storage_{std::make_shared<sim::Disk>()};
  std::optional<Outcome<CrawlEnd>> end_;
  std::optional<CrawlStart> start_;
  std::vector<std::string> urls_;
  std::vector<std::string> said_;
  std::vector<bool> stops_;
  int closes_ = 0;
  bool sink_fails_to_open_ = false;
  std::size_t sink_fails_at_ = 0;      // 0: never
  Duration later_ = Duration::zero();  // the time of day, after that of the first run

 private:
  // BORROWS: the names.
  Task<void> live(net::Resolver& names, WallTime wall_start, CrawlSettings settings,
                  std::move_only_function<Task<void>(Crawl& crawl)> beside) {
    support::SimulatedMachine machine(storage_, names, 1, wall_start);
    std::unique_ptr<JobStore> job;
    if (!settings.job.folder.empty()) {
      auto opened = JobStore::open(settings.job, machine);
      EXPECT_TRUE(opened) << opened.error().to_string();
      if (!opened) co_return;
      job = std::move(*opened);
    }
    Crawl crawl(std::move(settings), std::move(job), machine);
    async::Scope tasks(async::OnFailure::keep_going);
    if (beside) tasks.spawn(later(crawl, std::move(beside)));
    end_.emplace(co_await crawl.run(*this));
    tasks.cancel();
    static_cast<void>(co_await tasks.join());
  }
  // BORROWS: the crawl.
  static Task<void> later(Crawl& crawl, std::move_only_function<Task<void>(Crawl& crawl)> beside) {
    static_cast<void>(co_await async::sleep(100ms));
    co_await beside(crawl);
  }
};

// --- the archive

TEST_F(CrawlCase, AnArchiveSaysHowItWasMade) {
  web_.page("http://a.example/", {"/1", "/2", "/image"});
  web_.page("http://a.example/1", {});
  web_.at("http://a.example/image", {.type = "image/png", .body = "PNG"});
  CrawlSettings wanted = settings();
  wanted.archive.file = "folder/museum";
  wanted.archive.has_index = true;
  wanted.archive.has_package = true;
  wanted.archive.about = {{"operator", "me"}};
  wanted.user_agent = "Bot/1";
  crawl(std::move(wanted));
  ASSERT_TRUE(*end_);
  EXPECT_FALSE((*end_)->failure);
  const auto contents = support::read_archive(*storage_.disk->content("museum-00001.warc.gz"));
  EXPECT_THAT(contents.faults, IsEmpty());
  const std::string& about = contents.records.front().block;
  for (const char* const line :
       {"software: gossamer/", "format: WARC File Format 1.1\r\n", "conformsTo: http",
        "robots: obey\r\n", "http-header-user-agent: Bot/1\r\n", "operator: me\r\n"}) {
    EXPECT_THAT(about, HasSubstr(line));
  }
  const std::string index = storage_.disk->content("museum.cdxj").value_or("");
  for (const std::string url : {"/", "/1", "/2", "/image"}) {
    EXPECT_THAT(index, HasSubstr("\"http://a.example" + url + "\"")) << url;
  }
  EXPECT_TRUE(storage_.disk->content("museum.wacz"));
}

TEST_F(CrawlCase, AnArchiveSaysThatRobotsWereIgnored) {
  web_.page("http://a.example/", {});
  CrawlSettings wanted = settings();
  wanted.obeys_robots = false;
  wanted.archive.file = "museum";
  crawl(std::move(wanted));
  const auto contents = support::read_archive(*storage_.disk->content("museum-00001.warc.gz"));
  EXPECT_THAT(contents.records.front().block, HasSubstr("robots: ignore\r\n"));
  EXPECT_FALSE(storage_.disk->content("museum.cdxj"));
  EXPECT_FALSE(storage_.disk->content("museum.wacz"));
}

// --- ends

TEST_F(CrawlCase, ListenersHearTheBeginAndTheEnd) {
  web_.page("http://a.example/", {"/1"});
  crawl(settings());
  ASSERT_TRUE(*end_);
  EXPECT_EQ((*end_)->reason, EndReason::finished);
  EXPECT_EQ((*end_)->statistics.pages, 2u);
  EXPECT_FALSE((*end_)->statistics_of_job);
  EXPECT_EQ(closes_, 1);
  ASSERT_TRUE(start_);
  EXPECT_FALSE(start_->is_resumed);
  EXPECT_THAT(stops_, IsEmpty());
}

TEST_F(CrawlCase, ASinkThatFailsEndsTheCrawl) {
  add_pages(20, 100ms);
  sink_fails_at_ = 3;
  crawl(settings());
  ASSERT_TRUE(*end_);
  EXPECT_EQ((*end_)->reason, EndReason::sink_failed);
  ASSERT_TRUE((*end_)->failure);
  EXPECT_EQ((*end_)->failure->part, Part::sink);
  EXPECT_EQ((*end_)->failure->error, Errc::no_space);
  EXPECT_EQ(closes_, 1);
}

TEST_F(CrawlCase, ASinkThatCannotBeOpenedPreventsTheCrawl) {
  add_pages(2, 100ms);
  sink_fails_to_open_ = true;
  const auto crawled = crawl(settings());
  ASSERT_FALSE(*end_);
  EXPECT_EQ(end_->error().part, Part::sink);
  EXPECT_THAT(crawled.heard, IsEmpty());
  EXPECT_EQ(closes_, 0);
  EXPECT_FALSE(start_);
}

Task<void> stop_twice(Crawl& crawl) {
  static_cast<void>(co_await async::sleep(1s));
  EXPECT_EQ(crawl.progress().state, "running");
  crawl.stop();
  EXPECT_EQ(crawl.progress().state, "stopping");
  crawl.stop();
}

Task<void> stop_once(Crawl& crawl) {
  static_cast<void>(co_await async::sleep(1s));
  crawl.stop();
}

TEST_F(CrawlCase, TheSecondStopDropsRequests) {
  add_pages(50, 3s);
  crawl(settings(), stop_twice);
  EXPECT_EQ((*end_)->reason, EndReason::aborted);
  EXPECT_LT((*end_)->took, 2s) << "each takes three";
  EXPECT_THAT(stops_, ElementsAre(false, true));
  urls_.clear();
  stops_.clear();
  crawl(settings(), stop_once);
  EXPECT_EQ((*end_)->reason, EndReason::interrupted);
  EXPECT_EQ(urls_.size(), 2u) << "the request in flight has finished";
  EXPECT_THAT(stops_, ElementsAre(false));
}

Task<void> pause_for_a_while(Crawl& crawl) {
  static_cast<void>(co_await async::sleep(1s));
  crawl.pause();
  EXPECT_EQ(crawl.progress().state, "paused");
  static_cast<void>(co_await async::sleep(1h));
  crawl.resume();
  EXPECT_EQ(crawl.progress().state, "running");
}

TEST_F(CrawlCase, APauseLastsUntilTheCrawlIsResumed) {
  add_pages(20, 200ms);
  const auto crawled = crawl(settings(), pause_for_a_while);
  EXPECT_EQ((*end_)->reason, EndReason::finished);
  EXPECT_GE(crawled.took, 1h);
  EXPECT_GE((*end_)->took, 1h);
  EXPECT_EQ(urls_.size(), 21u);
}

Task<void> read_progress(Crawl& crawl) {
  static_cast<void>(co_await async::sleep(2s));
  const CrawlProgress progress = crawl.progress();
  EXPECT_GE(progress.pages, 3u);
  EXPECT_GE(progress.waiting, 5u);
  EXPECT_EQ(progress.in_flight, 1u);
  EXPECT_EQ(progress.hosts, 1u);
  EXPECT_GE(progress.connections, 1u);
  EXPECT_EQ(progress.pages_in_all, 30u);
  EXPECT_GE(progress.since_start, 2s);
  EXPECT_EQ(progress.outcomes[0], progress.pages);
  bool is_dumped = false;
  crawl.dump([&is_dumped](const std::string& text) { is_dumped = !text.empty(); });
  EXPECT_TRUE(is_dumped);
}

TEST_F(CrawlCase, TheProgressIsKnown) {
  add_pages(20, 200ms);
  CrawlSettings limited = settings();
  limited.pages_max = 30;
  crawl(std::move(limited), read_progress);
  EXPECT_EQ(urls_.size(), 21u);
}

// --- crawl directories

// BORROWS: both.
Task<void> fill(support::SimulatedStorage& storage, Instant& when) {
  static_cast<void>(co_await async::sleep(5s));
  when = async::Loop::current().now();
  storage.free_bytes = 1024;
  static_cast<void>(co_await async::sleep(1min));
  storage.free_bytes = support::SimulatedStorage::kPlenty;
}

TEST_F(CrawlCase, PausesWhileTheDiskIsFull) {
  add_pages(60, 500ms);
  Instant full;
  const auto crawled = crawl(stored(), [this, &full](Crawl&) { return fill(storage_, full); });
  ASSERT_TRUE(*end_);
  EXPECT_EQ((*end_)->reason, EndReason::finished);
  EXPECT_EQ(urls_.size(), 61u);
  EXPECT_THAT(said_, ElementsAre("job: the disk is almost full; waiting for free space",
                                 "job: the disk has free space again; resuming"));
  EXPECT_EQ(std::ranges::count_if(crawled.heard,
                                  [&](const crawler::Heard& heard) {
                                    return heard.at > full + 2s && heard.at < full + 60s;
                                  }),
            0);
}

TEST_F(CrawlCase, ADirectoryHasEverythingOfAllRuns) {
  add_pages(10, 500ms);
  CrawlSettings archived = stored();
  archived.job.has_archive = true;
  crawl(std::move(archived));
  EXPECT_EQ(state(), "finished");
  ASSERT_TRUE((*end_)->statistics_of_job);
  EXPECT_EQ((*end_)->statistics_of_job->pages, 11u);
  EXPECT_TRUE(storage_.disk->content("crawl-00001.warc.gz"));
}

TEST_F(CrawlCase, FailuresOfAFinishedCrawlAreRetried) {
  web_.page("http://a.example/", {"/500", "/429", "/404", "/loop", "/cut"});
  for (const int status : {500, 429, 404}) {
    web_.at("http://a.example/" + std::to_string(status), {.status = status});
  }
  web_.at("http://a.example/loop", crawler::redirect_to("/loop"));
  web_.at("http://a.example/cut", {.body = "x", .is_cut = true});
  for (int run = 0; run < 2; ++run) {
    urls_.clear();
    CrawlSettings once = stored();
    once.tries_max = 1;
    crawl(std::move(once));
  }
  ASSERT_TRUE(start_);
  EXPECT_TRUE(start_->is_resumed);
  EXPECT_EQ(start_->retried, 3u);
  EXPECT_EQ(start_->done, 6u);
  std::ranges::sort(urls_);
  EXPECT_THAT(urls_,
              ElementsAre("http://a.example/429", "http://a.example/500", "http://a.example/cut"))
      << "the others would fail again";
}

TEST_F(CrawlCase, ARefreshFetchesOnlyPagesThatAreOldEnough) {
  add_pages(30, 10s);
  crawl(stored());
  urls_.clear();
  later_ = 30min;
  CrawlSettings of_old = stored();
  of_old.job.refreshes = true;
  of_old.job.older_than = 1h;
  crawl(std::move(of_old));
  EXPECT_THAT(urls_, IsEmpty());
  later_ = 2h;
  CrawlSettings of_all = stored();
  of_all.job.refreshes = true;
  of_all.job.older_than = 1h;
  crawl(std::move(of_all));
  EXPECT_EQ(urls_.size(), 31u);
}

TEST_F(CrawlCase, CookiesAreReadAndWrittenBack) {
  web_.at("http://a.example/", {.body = "x", .fields = "Set-Cookie: new=1; Max-Age=1000\r\n"});
  storage_.files["jar"].content =
      "# Netscape HTTP Cookie File\na.example\tFALSE\t/\tFALSE\t1900000000\told\t7\n";
  CrawlSettings wanted = settings();
  wanted.cookies.jar = "jar";
  const auto crawled = crawl(std::move(wanted));
  EXPECT_TRUE(std::ranges::any_of(
      crawled.heard, [](const crawler::Heard& heard) { return heard.head.contains("old=7"); }));
  EXPECT_THAT(storage_.files["jar"].content, HasSubstr("new\t1"));
  EXPECT_THAT(storage_.files["jar"].content, HasSubstr("old\t7"));
}

}  // namespace
}  // namespace gossamer::run

#include "store/archiving_sink.h"

#include <gtest/gtest.h>
#include <tests/support/kept_log.h>
#include <tests/support/simulated_archive_files.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulated/world.h"

namespace gossamer::store {
namespace {

class Taker final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override {
    pages.push_back(std::move(page));
    co_return {};
  }
  async::Task<Result<void>> put_other(crawler::Exchange exchange) override {
    others.push_back(std::move(exchange.url));
    co_return {};
  }
  void skip(const crawler::SkippedUrl& skipped) override { skips.emplace_back(skipped.url); }

  std::vector<crawler::Page> pages;
  std::vector<std::string> others;
  std::vector<std::string> skips;
};

crawler::Page page_of(const std::string& url, bool has_capture = true) {
  crawler::Page page;
  page.record.url = url;
  if (!has_capture) return page;
  page.capture = std::make_unique<crawler::Capture>();
  page.capture->response_head = "HTTP/1.1 200 OK\r\n\r\n";
  page.capture->payload = "body";
  return page;
}

ArchiveOptions any_options() {
  ArchiveOptions options;
  options.now = [] { return WallTime{}; };
  return options;
}

// Puts the exchanges and closes. The disk is full for operation number `full_at`; 0: never.
// BORROWS: world and taker.
async::Task<Result<void>> sink_all(sim::World& world, Taker& taker, std::uint64_t full_at,
                                   Duration patience) {
  support::SimulatedArchiveFiles files(world.driver().disk());
  async::ThreadPool pool(0);
  auto archive = co_await Archive::open(files, pool, any_options());
  if (!archive) co_return fail(std::move(archive).error());
  if (auto begun = co_await (*archive)->begin(); !begun) co_return begun;
  ArchivingSink sink(**archive, taker, {.space_patience = patience, .on_archived = {}});
  if (full_at > 0) world.driver().disk()->fail_operation(full_at, ENOSPC);
  crawler::Exchange robots;
  robots.url = "http://h/robots.txt";
  if (auto put = co_await sink.put_other(std::move(robots)); !put) co_return put;
  for (const bool has_capture : {true, false}) {
    auto put = co_await sink.put(page_of("http://h/", has_capture));
    if (!put) co_return put;
  }
  sink.skip({.url = "http://h/skipped"});
  co_return co_await (*archive)->close();
}

TEST(ArchivingSink, NotesThePlaceOfAPageAndPassesItOn) {
  sim::World world = sim::World::calm();
  Taker taker;
  ASSERT_TRUE(world.run(sink_all(world, taker, 0, Duration::zero())));
  ASSERT_EQ(taker.pages.size(), 2U);
  ASSERT_TRUE(taker.pages[0].record.archive);
  EXPECT_EQ(taker.pages[0].record.archive->file, "crawl-00001.warc.gz");
  EXPECT_EQ(taker.pages[0].capture, nullptr);
  EXPECT_FALSE(taker.pages[1].record.archive) << "there is nothing to archive";
  EXPECT_EQ(taker.others, std::vector<std::string>{"http://h/robots.txt"});
  EXPECT_EQ(taker.skips, std::vector<std::string>{"http://h/skipped"});
}

// BORROWS: all.
async::Task<Result<void>> sink_statuses(sim::World& world, Taker& taker, std::vector<int>& asked) {
  support::SimulatedArchiveFiles files(world.driver().disk());
  async::ThreadPool pool(0);
  auto archive = co_await Archive::open(files, pool, any_options());
  if (!archive) co_return fail(std::move(archive).error());
  ArchivingOptions options;
  options.stored_before = [&](const crawler::FetchRecord& record) -> std::optional<NotModified> {
    asked.push_back(*record.status);
    return std::nullopt;
  };
  ArchivingSink sink(**archive, taker, std::move(options));
  for (const int status : {200, 304, 305}) {
    crawler::Page page = page_of("http://h/");
    page.record.status = status;
    if (auto put = co_await sink.put(std::move(page)); !put) co_return put;
  }
  co_return co_await (*archive)->close();
}

TEST(ArchivingSink, LooksOnlyForTheOriginalOfA304) {
  sim::World world = sim::World::calm();
  Taker taker;
  std::vector<int> asked;
  ASSERT_TRUE(world.run(sink_statuses(world, taker, asked)));
  EXPECT_EQ(asked, std::vector<int>{304});
}

TEST(ArchivingSink, WaitsForSpaceUpToALimit) {
  sim::World world = sim::World::calm();
  Taker taker;
  ASSERT_TRUE(world.run(sink_all(world, taker, 1, 10s)));
  EXPECT_EQ(taker.pages.size(), 2U);
  EXPECT_GE(world.loop().now(), Instant(1s));
}

TEST(ArchivingSink, EndsTheCrawlWhenThereIsNoSpace) {
  sim::World world = sim::World::calm();
  Taker taker;
  const auto done = world.run(sink_all(world, taker, 1, Duration::zero()));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error(), Errc::io_failed);
  EXPECT_TRUE(taker.pages.empty());
}

// BORROWS: both.
async::Task<Result<Duration>> sink_without_room(sim::World& world, Taker& taker,
                                                Duration patience) {
  support::SimulatedArchiveFiles files(world.driver().disk());
  async::ThreadPool pool(0);
  auto archive = co_await Archive::open(files, pool, any_options());
  if (!archive) co_return fail(std::move(archive).error());
  ArchivingOptions options;
  options.space_patience = patience;
  options.has_room = [] { return false; };
  ArchivingSink sink(**archive, taker, std::move(options));
  const Instant start = world.loop().now();
  auto put = co_await sink.put(page_of("http://h/"));
  EXPECT_FALSE(put);
  EXPECT_EQ(put.error(), Errc::io_failed);
  co_return world.loop().now() - start;
}

TEST(ArchivingSink, SaysThatItWaitsUntilItsPatienceEnds) {
  sim::World world = sim::World::calm();
  Taker taker;
  const support::KeptLog log;
  const auto waited = world.run(sink_without_room(world, taker, 3s));
  ASSERT_TRUE(waited);
  EXPECT_EQ(*waited, Duration(3s));
  EXPECT_TRUE(log.text.contains("no space left for the archive")) << log.text;
  EXPECT_TRUE(taker.pages.empty());
}

}  // namespace
}  // namespace gossamer::store

// Tests reading crawl directories and merging them.

#include "store/stored_crawl.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "store/crawl_merge.h"
#include "store/journal.h"
#include "store/page_table.h"
#include "store/stored_work.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

namespace fs = std::filesystem;

// A page: its number, its status, and the offset in an archive.
struct Stored {
  std::uint64_t number = 0;
  std::optional<int> status;
  std::optional<std::uint64_t> offset = {};
};

class StoredCrawlTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  static std::string url_of(std::uint64_t number) {
    return fmt::format("https://a.example/{}", number);
  }

  // Makes a crawl directory with these pages, one skipped URL and two queued targets; page 1 is
  // also in their chunk.
  std::string make(const std::string& name, const std::vector<Stored>& pages,
                   std::optional<std::string> state) {
    auto folder = JobFolder::open(path(name), JobFolder::Access::write);
    EXPECT_TRUE(folder);
    EXPECT_TRUE(folder->write_configuration("# of " + name + "\n"));
    auto tables = RocksTables::open(folder->tables());
    EXPECT_TRUE(tables);
    Journal journal(**tables, Durability::group);
    StoredWork work(journal, {.clock = {}});
    crawler::Statistics statistics;
    for (const Stored& page : pages) {
      crawler::FetchRecord record;
      record.url = url_of(page.number);
      record.status = page.status;
      if (!page.status) record.error = "refused";
      if (page.offset) record.archive = {.file = "x.warc.gz", .offset = *page.offset, .length = 5};
      statistics.add(record);
      journal.pending().put(Table::pages, page_key(page.number), pack_page(record));
    }
    std::string skips;
    pack_skip(skips, {.url = "https://b.example/" + name, .reason = crawler::SkipReason::robots});
    std::string key;
    append_big_endian(key, 0);
    journal.pending().put(Table::skipped, key, skips);
    put_statistics(journal.pending(), statistics);
    if (state) journal.pending().put(Table::meta, "state", *state);
    for (const std::uint64_t number : {1, 101, 102}) {
      crawler::Target target;
      target.url = url_of(number);
      work.add("https://a.example", number, target, 0, {});
    }
    journal.commit();
    fs::create_directories(folder->archive());
    std::ofstream(folder->archive() + "/x.warc.gz") << "of " << name;
    return path(name);
  }

  // "https://a.example/1 200 x.warc.gz@5"
  static std::vector<std::string> pages_of(const std::string& folder) {
    auto crawl = StoredCrawl::open(folder);
    EXPECT_TRUE(crawl);
    std::vector<std::string> lines;
    EXPECT_TRUE(crawl->for_each_page([&](const crawler::FetchRecord& record) {
      lines.push_back(fmt::format("{} {}", record.url, record.status.value_or(0)));
      if (record.archive) {
        lines.back() += fmt::format(" {}@{}", record.archive->file, record.archive->offset);
      }
      return true;
    }));
    return lines;
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(StoredCrawlTest, HasItsPagesSkipsAndQueuedTargets) {
  const std::string folder = make("a", {{1, 200}, {2, std::nullopt}}, "stopped");
  auto crawl = StoredCrawl::open(folder);
  ASSERT_TRUE(crawl);
  EXPECT_EQ(crawl->state(), "stopped");
  EXPECT_EQ(*crawl->waiting(), 2u) << "page 1 is fetched";
  EXPECT_EQ(crawl->statistics()->pages, 2u);
  EXPECT_EQ(pages_of(folder).size(), 2u);
  std::vector<std::string> waiting;
  EXPECT_TRUE(crawl->for_each_waiting([&](const crawler::Target& target) {
    waiting.push_back(target.url);
    return false;
  }));
  EXPECT_THAT(waiting, ElementsAre("https://a.example/101")) << "until it has enough";
  int pages = 0;
  EXPECT_TRUE(crawl->for_each_page([&](const crawler::FetchRecord&) { return ++pages < 1; }));
  EXPECT_EQ(pages, 1);
  std::vector<std::string> skipped;
  EXPECT_TRUE(crawl->for_each_skip([&](const StoredSkip& skip) {
    skipped.push_back(skip.url);
    return true;
  }));
  EXPECT_THAT(skipped, ElementsAre("https://b.example/a"));
}

TEST_F(StoredCrawlTest, SkipsAreShownUntilTheCallerHasEnough) {
  const std::string folder = make("a", {}, std::nullopt);
  const auto add = [&](std::uint64_t number, const std::string& row) {
    auto tables = RocksTables::open(JobFolder::open(folder, JobFolder::Access::read)->tables());
    Batch batch;
    std::string key;
    append_big_endian(key, number);
    batch.put(Table::skipped, key, row);
    EXPECT_TRUE((*tables)->write(batch));
  };
  std::string skips;
  for (const char* const url : {"https://b.example/1", "https://b.example/2"}) {
    pack_skip(skips, {.url = url, .reason = crawler::SkipReason::robots});
  }
  add(1, skips);
  for (const int most : {1, 2, 3}) {
    int shown = 0;
    auto crawl = StoredCrawl::open(folder);
    EXPECT_TRUE(crawl->for_each_skip([&](const StoredSkip&) { return ++shown < most; }));
    EXPECT_EQ(shown, most);
  }
  add(2, "\xFF");
  auto crawl = StoredCrawl::open(folder);
  EXPECT_FALSE(crawl->for_each_skip([](const StoredSkip&) { return true; })) << "a damaged row";
}

TEST_F(StoredCrawlTest, ADamagedRowOfSkipsEndsTheirList) {
  const std::string folder = make("a", {}, std::nullopt);
  {
    auto tables = RocksTables::open(JobFolder::open(folder, JobFolder::Access::read)->tables());
    Batch batch;
    std::string skips;
    pack_skip(skips, {.url = "https://b.example/", .reason = crawler::SkipReason::robots});
    batch.put(Table::skipped, page_key(1), "\xFF");
    batch.put(Table::skipped, page_key(2), skips);
    ASSERT_TRUE((*tables)->write(batch));
  }
  auto crawl = StoredCrawl::open(folder);
  int shown = 0;
  EXPECT_FALSE(crawl->for_each_skip([&](const StoredSkip&) { return ++shown > 0; }));
  EXPECT_EQ(shown, 1) << "the failure is not followed by more";
}

TEST_F(StoredCrawlTest, ShowsTheQueuesOfAllOriginsBesideDamage) {
  const std::string folder = make("a", {}, std::nullopt);
  {
    auto tables = RocksTables::open(JobFolder::open(folder, JobFolder::Access::read)->tables());
    Journal journal(**tables, Durability::group);
    StoredWork work(journal, {.clock = {}});
    for (const std::string origin : {"https://b.example", "https://c.example"}) {
      crawler::Target target;
      target.url = origin + "/";
      work.put_away(origin, base::hash64(origin), target, 0, {});
    }
    Batch damage;
    damage.put(Table::waiting, ChunkKey{.origin = 1, .place = {0, 0}}.text(), "x");
    damage.put(Table::waiting, ChunkKey{.origin = 2, .place = {0, 0}}.text(), "");
    damage.put(Table::waiting, ChunkKey{.origin = 0, .place = {0, 0}}.text(), "x");
    journal.pending().add(damage);
    journal.commit();
    // The names of the second origin are lost.
    damage.clear();
    damage.remove(Table::origins, origin_key(OriginRow::id, "https://b.example"));
    ASSERT_TRUE((*tables)->write(damage));
  }
  auto crawl = StoredCrawl::open(folder);
  std::vector<std::string> urls;
  const auto read = crawl->for_each_waiting([&](const crawler::Target& target) {
    urls.push_back(target.url);
    return true;
  });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), Errc::malformed);
  EXPECT_THAT(urls, ElementsAre(url_of(1), url_of(101), url_of(102), "https://c.example/"));
  for (const std::size_t most : {1U, 3U, 4U}) {
    std::size_t shown = 0;
    static_cast<void>(
        crawl->for_each_waiting([&](const crawler::Target&) { return ++shown < most; }));
    EXPECT_EQ(shown, most) << "until the caller has enough";
  }
}

TEST_F(StoredCrawlTest, HasAStateWhateverBecameOfItsProcess) {
  const std::string folder = make("a", {}, std::nullopt);
  EXPECT_EQ(StoredCrawl::open(folder)->state(), "interrupted");
  const auto writer = JobFolder::open(folder, JobFolder::Access::write);
  ASSERT_TRUE(writer);
  EXPECT_EQ(StoredCrawl::open(folder)->state(), "running");
  EXPECT_EQ(StoredCrawl::open(path("none")).error(), Errc::not_found);
}

TEST_F(StoredCrawlTest, AMergeHasTheBestRecordOfEachUrl) {
  const std::string a =
      make("a", {{1, std::nullopt}, {2, 200}, {3, 200, 5}, {4, 404, 7}}, "finished");
  const std::string b =
      make("b", {{1, 200}, {2, 200, 10}, {3, 404, 15}, {4, std::nullopt}, {5, 200}}, "finished");
  const auto merged = merge_crawls({a, b}, path("all"));
  ASSERT_TRUE(merged) << merged.error().to_string();
  EXPECT_EQ(merged->pages, 5u);
  EXPECT_EQ(merged->repeated, 4u);
  EXPECT_EQ(merged->files, 2u);
  EXPECT_THAT(
      pages_of(path("all")),
      UnorderedElementsAre("https://a.example/1 200", "https://a.example/2 200 n2-x.warc.gz@10",
                           "https://a.example/3 200 n1-x.warc.gz@5",
                           "https://a.example/4 404 n1-x.warc.gz@7", "https://a.example/5 200"));
  auto crawl = StoredCrawl::open(path("all"));
  EXPECT_EQ(crawl->state(), "finished");
  const crawler::Statistics statistics = *crawl->statistics();
  EXPECT_EQ(statistics.by_status.at(200), 4u);
  EXPECT_EQ(statistics.count(crawler::Outcome::error), 1u) << "the worse records do not count";
  EXPECT_EQ(statistics.skipped[static_cast<std::size_t>(crawler::SkipReason::robots)], 2u);
  EXPECT_EQ(*crawl->folder().read_configuration(),
            *JobFolder::open(a, JobFolder::Access::read)->read_configuration());
  std::size_t skips = 0;
  EXPECT_TRUE(crawl->for_each_skip([&](const StoredSkip&) { return ++skips > 0; }));
  EXPECT_EQ(skips, 2u);
  EXPECT_EQ(fs::file_size(path("all/archive/n2-x.warc.gz")), 4u);
}

TEST_F(StoredCrawlTest, AMergeIsFinishedIfAllAre) {
  const std::string finished = make("a", {{1, 200}}, "finished");
  const std::string stopped = make("b", {{2, 200}}, "stopped");
  const std::string killed = make("c", {{3, 200}}, std::nullopt);
  EXPECT_TRUE(merge_crawls({finished, stopped, killed}, path("all")));
  EXPECT_EQ(StoredCrawl::open(path("all"))->state(), "stopped") << "the first that is not";
}

TEST_F(StoredCrawlTest, AMergeWritesOnlyToAnEmptyFolder) {
  const std::string a = make("a", {{1, 200}}, "finished");
  EXPECT_EQ(merge_crawls({a}, a).error(), Errc::exists);
  EXPECT_EQ(merge_crawls({a, path("none")}, path("all")).error(), Errc::not_found);
  EXPECT_FALSE(fs::exists(path("all"))) << "nothing is made if one is missing";
  fs::create_directory(path("all"));
  EXPECT_TRUE(merge_crawls({a}, path("all")));
}

// Without an error, its pages would be missing from the merged crawl.
TEST_F(StoredCrawlTest, AMergeFailsIfARowIsDamaged) {
  for (const Table table : {Table::pages, Table::skipped}) {
    const std::string prefix(name(table));
    const std::string a = make(prefix + "-a", {{1, 200}}, "finished");
    const std::string b = make(prefix + "-b", {{2, 200}}, "finished");
    {
      auto tables = RocksTables::open(JobFolder::open(a, JobFolder::Access::read)->tables());
      Batch damage;
      damage.put(table, page_key(5), "\xFF");
      // The rows after it are good.
      const auto row = (*tables)->get(table, page_key(table == Table::pages ? 1 : 0));
      damage.put(table, page_key(6), row->value());
      ASSERT_TRUE((*tables)->write(damage));
    }
    const auto merged = merge_crawls({a, b}, path(prefix + "-all"));
    ASSERT_FALSE(merged) << prefix;
    EXPECT_EQ(merged.error(), Errc::malformed);
  }
}

}  // namespace
}  // namespace gossamer::store

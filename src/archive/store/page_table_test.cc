#include "store/page_table.h"

#include <gtest/gtest.h>
#include <tests/support/kept_log.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "content/text_sketch.h"
#include "record/page_row.h"
#include "store/journal.h"
#include "store/lost_pages.h"
#include "store/page_changes.h"
#include "store/repeated_page.h"
#include "tests/simulated/world.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

class Nowhere final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page /*page*/) override { co_return {}; }
};

crawler::FetchRecord record_at(const std::string& path, std::optional<int> status) {
  crawler::FetchRecord record;
  record.url = "https://a.example" + path;
  record.status = status;
  record.wire_bytes = 100;
  if (status == 200) record.mime = "text/html";
  if (status == 200) record.bytes = 50;
  if (!status) record.error = "refused";
  return record;
}

class PageTableTest : public testing::Test {
 protected:
  // Simulates a process that puts these pages.
  void put_all(std::vector<crawler::FetchRecord> records, bool is_refresh = false) {
    Journal journal(tables, Durability::group);
    PageTable pages(journal, {}, nowhere);
    if (is_refresh) pages.begin_refresh({.seconds = 1000});
    for (crawler::FetchRecord& record : records) {
      crawler::Page page;
      page.record = std::move(record);
      EXPECT_TRUE(world.run(pages.put(std::move(page))));
      journal.commit();
    }
  }
  crawler::Statistics counted() const {
    auto kept = stored_statistics(tables);
    EXPECT_TRUE(kept);
    return kept ? std::move(*kept) : crawler::Statistics();
  }

  sim::World world = sim::World::calm();
  SimulatedTables tables;
  Nowhere nowhere;
};

TEST_F(PageTableTest, CountsTheLastRecordOfAUrl) {
  put_all({record_at("/", 200), record_at("/a", std::nullopt), record_at("/b", 404)});
  put_all({record_at("/a", 200)});
  const crawler::Statistics all = counted();
  EXPECT_EQ(all.pages, 3u);
  EXPECT_EQ(all.answered, 3u);
  EXPECT_EQ(all.count(crawler::Outcome::error), 1u);
  EXPECT_EQ(all.by_error.at("404"), 1u);
  EXPECT_EQ(all.by_status.at(200), 2u);
  EXPECT_EQ(all.by_type.at("text/html"), 2u);
  EXPECT_EQ(all.bytes, 100u);
  EXPECT_EQ(all.wire_bytes, 400u) << "both responses were received";
}

TEST_F(PageTableTest, ARefreshCountsNoPageTwice) {
  put_all({record_at("/", 200), record_at("/a", 200), record_at("/b", 200)});
  put_all({record_at("/", 304), record_at("/a", 200), record_at("/b", 410)}, true);
  const crawler::Statistics all = counted();
  EXPECT_EQ(all.pages, 3u);
  EXPECT_EQ(all.by_status.at(200), 2u);
  EXPECT_EQ(all.by_status.at(410), 1u);
  EXPECT_FALSE(all.by_status.contains(304)) << "the page is unchanged";
  EXPECT_EQ(all.wire_bytes, 600u);
}

TEST_F(PageTableTest, AResumedRunKeepsTheSkippedUrlsOfAllRuns) {
  for (const char* const url :
       {"https://b.example/1", "https://b.example/2", "https://b.example/3"}) {
    Journal journal(tables, Durability::group);
    PageTable pages(journal, {}, nowhere);
    pages.skip({.url = url, .reason = crawler::SkipReason::out_of_scope});
    journal.commit();
    journal.commit();  // without anything new
  }
  std::string urls;
  std::size_t rows = 0;
  EXPECT_TRUE(tables.scan(Table::skipped, "", [&](std::string_view, std::string_view row) {
    ++rows;
    const auto skips = unpack_skips(row);
    EXPECT_TRUE(skips);
    for (const StoredSkip& skip : *skips) urls += skip.url + " ";
    return true;
  }));
  EXPECT_EQ(urls, "https://b.example/1 https://b.example/2 https://b.example/3 ");
  EXPECT_EQ(rows, 3u);
}

TEST_F(PageTableTest, APageThatIsUnchangedKeepsItsRecordAndWasConfirmed) {
  put_all({record_at("/", 200)});
  crawler::FetchRecord unchanged = record_at("/", 304);
  unchanged.ts = {.seconds = 2000};
  put_all({unchanged}, true);
  Journal journal(tables, Durability::group);
  PageTable pages(journal, {}, nowhere);
  const auto record = pages.find(*url::Url::parse("https://a.example/"));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->status, 200);
  EXPECT_EQ(record->confirmed, (WallTime{.seconds = 2000}));
}

TEST_F(PageTableTest, TriesOfAnUnchangedPageCount) {
  put_all({record_at("/", 200)});
  crawler::FetchRecord unchanged = record_at("/", 304);
  unchanged.tries = 3;
  put_all({unchanged}, true);
  EXPECT_EQ(counted().retries, 2u);
}

TEST_F(PageTableTest, AResumedRefreshKeepsItsChanges) {
  put_all({record_at("/1", 200), record_at("/2", 200)});
  put_all({record_at("/1", 410)}, true);
  put_all({record_at("/2", 410)}, true);
  std::size_t changes = 0;
  EXPECT_TRUE(tables.scan(Table::changes, "", [&](std::string_view, std::string_view) {
    ++changes;
    return true;
  }));
  EXPECT_EQ(changes, 2u);
}

TEST_F(PageTableTest, AResumedRefreshKeepsAllItsChanges) {
  put_all({record_at("/1", 200), record_at("/2", 200), record_at("/3", 200)});
  put_all({record_at("/1", 410), record_at("/2", 410)}, true);
  put_all({record_at("/3", 410)}, true);
  std::vector<std::string> urls;
  EXPECT_TRUE(*has_refreshed(tables));
  EXPECT_TRUE(for_each_change(tables, [&](const PageChange& change) {
    urls.push_back(change.url);
    return true;
  }));
  EXPECT_EQ(urls, (std::vector<std::string>{"https://a.example/1", "https://a.example/2",
                                            "https://a.example/3"}));
}

TEST_F(PageTableTest, ChangesOfAnEarlierRefreshAreNotThoseOfTheLast) {
  put_all({record_at("/1", 200)});
  put_all({record_at("/1", 410)}, true);
  Journal journal(tables, Durability::group);
  PageTable pages(journal, {}, nowhere);
  pages.begin_refresh({.seconds = 2000});
  journal.commit();
  int changes = 0;
  EXPECT_TRUE(for_each_change(tables, [&](const PageChange&) { return ++changes > 0; }));
  EXPECT_EQ(changes, 0);
}

TEST_F(PageTableTest, CountsThatCannotBeReadAreReported) {
  put_all({record_at("/1", 200)});
  tables.fail_reads(Table::meta);
  const support::KeptLog log;
  Journal journal(tables, Durability::group);
  const PageTable pages(journal, {}, nowhere);
  EXPECT_EQ(pages.statistics().pages, 0u);
  EXPECT_TRUE(log.text.contains("cannot read the counts of earlier runs")) << log.text;
}

TEST_F(PageTableTest, AnUnchangedPageIsSimilarToWhatWasComparedNow) {
  for (const bool is_compared : {false, true}) {
    crawler::FetchRecord record = record_at("/", 200);
    record.sketch = std::make_shared<const content::TextSketch>();
    record.similar_to = "https://a.example/before";
    put_all({record});
    crawler::FetchRecord unchanged = record_at("/", 304);
    if (is_compared) unchanged.sketch = record.sketch;
    unchanged.similar_to = "https://a.example/now";
    put_all({unchanged}, true);
    Journal journal(tables, Durability::group);
    PageTable pages(journal, {}, nowhere);
    const auto stored = pages.find(*url::Url::parse("https://a.example/"));
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->similar_to,
              is_compared ? "https://a.example/now" : "https://a.example/before");
  }
}

TEST_F(PageTableTest, APlaceInTheArchiveHasAFileAndAnOffset) {
  using namespace std::string_literals;
  EXPECT_EQ(archived_key({.file = "x.warc.gz", .offset = 258, .length = 5}),
            "x.warc.gz\0\0\0\0\0\0\0\x01\x02"s);
}

TEST_F(PageTableTest, APageMayTurnAGuessIntoALinkAtAnyTime) {
  const std::string paths[] = {"/stored", "/pending", "/later", "/guess"};
  url::CrawlIdentity identity;
  const auto fingerprint = [&](const std::string& path) {
    return identity.fingerprint(*url::Url::parse("https://a.example" + path));
  };
  const auto guess_at = [](const std::string& path) {
    crawler::FetchRecord record = record_at(path, 404);
    record.is_guess = true;
    return record;
  };
  put_all({guess_at("/stored"), guess_at("/guess")});
  EXPECT_TRUE(counted().by_status.empty()) << "a wrong guess is not counted";
  Journal journal(tables, Durability::group);
  PageTable pages(journal, {}, nowhere);
  const auto put = [&](const std::string& path) {
    crawler::Page page;
    page.record = guess_at(path);
    EXPECT_TRUE(world.run(pages.put(std::move(page))));
  };
  pages.mark_linked(fingerprint("/stored"));
  put("/pending");
  pages.mark_linked(fingerprint("/pending"));
  pages.mark_linked(fingerprint("/later"));
  put("/later");
  journal.commit();
  for (const std::string& path : paths) {
    const auto record = pages.find(*url::Url::parse("https://a.example" + path));
    ASSERT_TRUE(record) << path;
    EXPECT_EQ(record->is_guess, path == "/guess") << path;
  }
  EXPECT_EQ(counted().pages, 4u);
  EXPECT_EQ(counted().by_status.at(404), 3u);
  EXPECT_EQ(counted().wire_bytes, 400u);
}

// Two loops of a process are nodes of a shared crawl. The lease of the first ends at 100.
class SharedPageTableTest : public PageTableTest {
 protected:
  void SetUp() override { pages.share({.seconds = 10}); }

  void put(std::int64_t requested_at, int status) {
    crawler::Page page;
    page.record = record_at("/", status);
    page.record.ts = {.seconds = requested_at};
    EXPECT_TRUE(world.run(pages.put(std::move(page))));
  }
  void lose_first() {
    pages.mark_repeated({{.url = "https://a.example/", .lease_end = {.seconds = 100}}});
  }
  crawler::FetchRecord row() {
    journal.commit();
    const auto record = pages.find(*url::Url::parse("https://a.example/"));
    EXPECT_TRUE(record);
    return record.value_or(crawler::FetchRecord());
  }

  Journal journal{tables, Durability::group};
  PageTable pages{journal, {}, nowhere};
};

TEST_F(SharedPageTableTest, ARepeatedPageIsMarkedAndReceivedOnce) {
  for (const bool is_committed : {false, true}) {
    put(90, 200);
    if (is_committed) journal.commit();
    lose_first();
    lose_first();
    EXPECT_EQ(row().duplicate_of, "https://a.example/");
  }
  EXPECT_EQ(counted().pages, 1u);
  EXPECT_EQ(counted().duplicates, 1u);
  EXPECT_EQ(counted().wire_bytes, 200u) << "two responses of 100 bytes";
}

TEST_F(SharedPageTableTest, TheRowOfTheNextHolderIsNotMarked) {
  put(90, 200);
  put(110, 404);
  lose_first();
  EXPECT_EQ(row().duplicate_of, "");
  EXPECT_EQ(row().status, 404);
  EXPECT_EQ(counted().duplicates, 0u);
}

TEST_F(SharedPageTableTest, ALatePageDoesNotReplaceTheRowOfTheNextHolder) {
  put(110, 404);
  put(90, 200);
  lose_first();
  EXPECT_EQ(row().status, 404);
  EXPECT_EQ(row().duplicate_of, "");
  EXPECT_EQ(counted().pages, 1u);
  EXPECT_EQ(counted().wire_bytes, 200u) << "both responses were received";
}

TEST_F(SharedPageTableTest, AnyPageReplacesARowThatDoesNotCount) {
  put(90, 200);
  lose_first();
  put(80, 404);
  EXPECT_EQ(row().status, 404) << "the row was that of a repeated page";
  pages.share({.seconds = 95});
  put(70, 200);
  EXPECT_EQ(row().status, 200) << "the row was that of an earlier process";
}

TEST_F(SharedPageTableTest, ARowOfTheSameTimeIsReplaced) {
  put(90, 404);
  put(90, 200);
  EXPECT_EQ(row().status, 200);
}

TEST_F(SharedPageTableTest, ARowFromTheStartOfTheProcessCounts) {
  put(10, 404);
  put(5, 200);
  EXPECT_EQ(row().status, 404);
}

TEST_F(SharedPageTableTest, ARequestAtTheEndOfTheLeaseIsThatOfTheNextHolder) {
  put(100, 200);
  lose_first();
  EXPECT_EQ(row().duplicate_of, "");
}

TEST_F(SharedPageTableTest, AllTriesCountOnce) {
  put(110, 404);
  crawler::Page late;
  late.record = record_at("/", 200);
  late.record.ts = {.seconds = 90};
  late.record.tries = 4;
  EXPECT_TRUE(world.run(pages.put(std::move(late))));
  journal.commit();
  EXPECT_EQ(counted().retries, 3u) << "they were made, although the record is late";
  crawler::Page repeated;
  repeated.record = record_at("/", 200);
  repeated.record.ts = {.seconds = 120};
  repeated.record.tries = 3;
  EXPECT_TRUE(world.run(pages.put(std::move(repeated))));
  pages.mark_repeated({{.url = "https://a.example/", .lease_end = {.seconds = 130}}});
  EXPECT_EQ(row().duplicate_of, "https://a.example/");
  EXPECT_EQ(counted().retries, 3u + 2u);
}

TEST_F(PageTableTest, LostPagesDoNotCount) {
  crawler::FetchRecord record = record_at("/", 200);
  record.archive = crawler::ArchivePlace{.file = "x", .offset = 100, .length = 50};
  put_all({record, record_at("/a", 404)});
  const auto lost =
      put_back_lost_pages(tables, crawler::CrawlOrder::breadth_first,
                          [](std::string_view) { return std::optional<std::uint64_t>(0); }, {});
  EXPECT_EQ(*lost, 1u);
  EXPECT_EQ(counted().pages, 1u);
  put_all({record});
  EXPECT_EQ(counted().pages, 2u);
}

// Keeps the last page.
class LastPage final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override {
    last = std::move(page);
    co_return {};
  }
  void skip(const crawler::SkippedUrl& skipped) override { skips.emplace_back(skipped.url); }

  crawler::Page last;
  std::vector<std::string> skips;
};

// The texts are moved aside while the record is copied.
TEST_F(PageTableTest, PassesTextsOnAndDoesNotStoreThem) {
  Journal journal(tables, Durability::group);
  LastPage sink;
  PageTable pages(journal, {}, sink);
  crawler::Page page;
  page.record = record_at("/text", 200);
  page.record.text = "A long text.";
  page.record.markdown = "A *long* text.";
  EXPECT_TRUE(world.run(pages.put(std::move(page))));
  journal.commit();
  EXPECT_EQ(sink.last.record.text, "A long text.");
  EXPECT_EQ(sink.last.record.markdown, "A *long* text.");
  const auto stored = pages.find(*url::Url::parse("https://a.example/text"));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->status, 200);
  EXPECT_TRUE(stored->text.empty());
}

TEST_F(PageTableTest, SkippedUrlsAreCountedAndPassedOn) {
  Journal journal(tables, Durability::group);
  LastPage sink;
  PageTable pages(journal, {}, sink);
  pages.skip({.url = "https://b.example/1", .reason = crawler::SkipReason::robots});
  pages.skip({.url = "https://b.example/2", .reason = crawler::SkipReason::robots});
  journal.commit();
  EXPECT_EQ(sink.skips, (std::vector<std::string>{"https://b.example/1", "https://b.example/2"}));
  EXPECT_EQ(counted().skipped[static_cast<std::size_t>(crawler::SkipReason::robots)], 2u);
}

// Fails at first.
class ArchiveSync {
 public:
  async::Task<Result<void>> run() {
    if (++syncs == 1) co_return fail(Errc::io_failed, "simulated");
    co_return {};
  }

  int syncs = 0;
};

TEST_F(PageTableTest, APageIsStoredOnlyAfterItsArchive) {
  Journal journal(tables, Durability::strict);
  LastPage sink;
  PageTable pages(journal, {}, sink);
  ArchiveSync sync;
  pages.before_note([&sync] { return sync.run(); });
  const auto put = [&] {
    crawler::Page page;
    page.record = record_at("/", 200);
    auto done = world.run(pages.put(std::move(page)));
    journal.commit();
    return done.has_value();
  };
  EXPECT_FALSE(put());
  EXPECT_EQ(counted().pages, 0u);
  EXPECT_EQ(sink.last.record.url, "");
  EXPECT_TRUE(put());
  EXPECT_EQ(sync.syncs, 2);
  EXPECT_EQ(counted().pages, 1u);
}

}  // namespace
}  // namespace gossamer::store

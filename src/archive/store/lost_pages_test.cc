#include "store/lost_pages.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/page_row.h"
#include "store/journal.h"
#include "store/page_table.h"
#include "store/stored_payloads.h"
#include "store/stored_work.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kSiteOfLost = "https://a.example";

crawler::Target target_at(std::uint64_t number, std::uint16_t depth) {
  crawler::Target target;
  target.url = fmt::format("{}/{}", kSiteOfLost, number);
  target.depth = depth;
  return target;
}

class LostPages : public testing::Test {
 protected:
  // Simulates a process that finds these pages together and fetches some. Each is archived in the
  // file of that name, at a hundred times its number.
  void crawl(const std::vector<std::uint64_t>& found, std::map<std::uint64_t, std::string> fetched,
             std::uint16_t depth = 1) {
    Journal journal(tables, Durability::group);
    StoredWork work(journal, {.clock = {}});
    work.recall(nothing());
    std::map<std::uint64_t, std::uint64_t> tickets;
    for (const std::uint64_t n : found) {
      tickets[n] = work.add(kSiteOfLost, n, target_at(n, depth), depth, {}).ticket;
    }
    work.commit();
    for (const auto& [n, file] : fetched) {
      crawler::FetchRecord record;
      record.url = target_at(n, depth).url;
      record.depth = depth;
      record.status = 200;
      record.archive = crawler::ArchivePlace{.file = file, .offset = n * 100, .length = 50};
      journal.pending().put(Table::pages, page_key(n), pack_page(record));
      journal.pending().put(Table::archived, archived_key(*record.archive), page_key(n));
      work.end(tickets.at(n));
      work.commit();
    }
  }

  std::size_t put_back(std::map<std::string, std::uint64_t, std::less<>> lengths,
                       Batch beside = {}) {
    const auto length = [&](std::string_view file) -> std::optional<std::uint64_t> {
      const auto found = lengths.find(file);
      return found == lengths.end() ? std::nullopt : std::optional(found->second);
    };
    return put_back_lost_pages(tables, crawler::CrawlOrder::breadth_first, length,
                               std::move(beside))
        .value();
  }

  // Returns the URLs that the next process fetches.
  std::vector<std::string> waiting() {
    Journal journal(tables, Durability::group);
    StoredWork work(journal, {.clock = {}});
    work.recall(nothing());
    work.take_in(0, ~0U, 100);
    std::vector<std::string> paths;
    for (const crawler::Target& target : work.more(kSiteOfLost).targets) {
      paths.push_back(fmt::format("{} at {}", target.url.substr(kSiteOfLost.size()), target.depth));
    }
    return paths;
  }

  static crawler::Backlog::Recall nothing() {
    crawler::Backlog::Recall recall;
    recall.seen = [](auto) {};
    recall.waiting = [](auto, auto, auto) {};
    recall.host = [](auto) {};
    return recall;
  }

  SimulatedTables tables;
};

TEST_F(LostPages, AreQueuedIfTheirRecordsAreAfterTheEndOfTheFile) {
  crawl({1, 2, 3}, {{1, "x"}, {2, "x"}, {3, "x"}});
  EXPECT_EQ(put_back({{"x", 200}}), 2u);
  EXPECT_THAT(waiting(), ElementsAre("/2 at 1", "/3 at 1"));
  EXPECT_EQ(put_back({{"x", 200}}), 0u);
}

TEST_F(LostPages, AreQueuedIfTheFileIsGone) {
  crawl({1, 2}, {{1, "x"}, {2, "y"}});
  EXPECT_EQ(put_back({{"y", 1000}}), 1u);
  EXPECT_THAT(waiting(), ElementsAre("/1 at 1"));
}

TEST_F(LostPages, AreQueuedOnceIfTheirChunkIsUnfinished) {
  crawl({1, 2}, {{1, "x"}});
  EXPECT_EQ(put_back({}), 1u);
  EXPECT_THAT(waiting(), ElementsAre("/1 at 1", "/2 at 1"));
}

TEST_F(LostPages, AreQueuedAtTheDepthOfTheirFetch) {
  crawl({1, 2}, {}, 2);
  crawl({1}, {{1, "x"}}, 1);
  EXPECT_EQ(put_back({}), 1u);
  EXPECT_THAT(waiting(), ElementsAre("/1 at 1", "/1 at 2", "/2 at 2"));
}

// Otherwise the old rows would reappear and refer to the new file of that name.
TEST_F(LostPages, StayQueuedAfterAPowerCut) {
  crawl({1, 2}, {{1, "x"}});
  EXPECT_EQ(put_back({}), 1u);
  tables.cut_power(0);
  EXPECT_EQ(put_back({{"x", 1000}}), 0u);
  EXPECT_THAT(waiting(), ElementsAre("/1 at 1", "/2 at 1"));
}

TEST_F(LostPages, WriteTheExtraChangesInTheSameBatch) {
  crawl({1}, {{1, "x"}});
  Batch beside;
  beside.put(Table::meta, "note", "1");
  put_back({{"x", 1000}}, beside);
  EXPECT_EQ(tables.get(Table::meta, "note").value(), std::nullopt);
  put_back({}, beside);
  EXPECT_EQ(tables.get(Table::meta, "note").value(), "1");
}

// A revisit record must not refer to a record that is gone.
TEST_F(LostPages, TakeTheirPayloadsAlong) {
  crawl({1, 2}, {{1, "x"}, {2, "y"}});
  Batch payloads;
  for (const std::uint64_t n : {1, 2}) {
    payloads.put(Table::payloads, fmt::format("payload {}", n),
                 pack_original({.record_id = "<urn:uuid:1>",
                                .target_uri = target_at(n, 1).url,
                                .date = {.seconds = 1000}}));
  }
  payloads.put(Table::payloads, "damaged", "x");
  ASSERT_TRUE(tables.write(payloads));
  EXPECT_EQ(put_back({{"x", 1000}, {"y", 1000}}), 0u);
  EXPECT_TRUE(tables.get(Table::payloads, "payload 1")->has_value());
  EXPECT_EQ(put_back({{"y", 1000}}), 1u);
  EXPECT_FALSE(tables.get(Table::payloads, "payload 1")->has_value());
  EXPECT_TRUE(tables.get(Table::payloads, "payload 2")->has_value());
  EXPECT_FALSE(tables.get(Table::payloads, "damaged")->has_value());
}

TEST_F(LostPages, AreThoseAtAndAfterTheEndOfTheFile) {
  crawl({1, 2}, {{1, "x"}, {2, "xy"}});
  EXPECT_EQ(put_back({{"x", 150}, {"xy", 200}}), 1u);
  EXPECT_THAT(waiting(), ElementsAre("/2 at 1")) << "a file whose name begins with the other's";
}

TEST_F(LostPages, IncludeARecordThatIsCut) {
  crawl({1, 2, 3}, {{1, "x"}, {2, "x"}, {3, "x"}});
  EXPECT_EQ(put_back({{"x", 249}}), 2u);
  EXPECT_THAT(waiting(), ElementsAre("/2 at 1", "/3 at 1"));
}

TEST_F(LostPages, KeepTheirPurposeAndReferrer) {
  Journal journal(tables, Durability::group);
  crawler::FetchRecord record;
  record.url = target_at(1, 3).url;
  record.depth = 3;
  record.via = "https://a.example/from";
  record.is_requisite = true;
  record.is_leaf = true;
  record.archive = crawler::ArchivePlace{.file = "x", .offset = 5, .length = 50};
  crawler::FetchRecord guess = record;
  guess.url = target_at(2, 3).url;
  guess.via = "";
  guess.is_requisite = guess.is_leaf = false;
  guess.is_guess = true;
  guess.archive->offset = 6;
  Batch rows;
  rows.put(Table::pages, page_key(1), pack_page(record));
  rows.put(Table::archived, archived_key(*record.archive), page_key(1));
  rows.put(Table::pages, page_key(2), pack_page(guess));
  rows.put(Table::archived, archived_key(*guess.archive), page_key(2));
  ASSERT_TRUE(tables.write(rows));
  EXPECT_EQ(put_back({}), 2u);
  StoredWork work(journal, {.clock = {}});
  work.recall(nothing());
  work.take_in(0, ~0U, 100);
  const auto targets = work.more(kSiteOfLost).targets;
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[0].purpose, crawler::Purpose::requisite);
  EXPECT_EQ(targets[0].leaf, crawler::Leaf::yes);
  EXPECT_EQ(targets[0].via.url(), "https://a.example/from");
  EXPECT_EQ(targets[1].purpose, crawler::Purpose::guess);
  EXPECT_EQ(targets[1].leaf, crawler::Leaf::no);
  EXPECT_EQ(targets[1].via.url(), "");
}

// The page was fetched again, and its newer record is in another file.
TEST_F(LostPages, DoNotIncludePagesThatWereStoredAgain) {
  crawl({1}, {{1, "x"}});
  crawl({1}, {{1, "y"}});
  EXPECT_EQ(put_back({{"y", 1000}}), 0u);
  EXPECT_FALSE(tables.get(Table::archived, archived_key({.file = "x", .offset = 100, .length = 0}))
                   ->has_value());
  EXPECT_TRUE(tables.get(Table::pages, page_key(1))->has_value());
}

TEST_F(LostPages, AreFoundBesideRowsThatDoNotCount) {
  crawl({1, 2, 3, 4}, {{1, "x"}, {2, "x"}, {3, "x"}, {4, "x"}});
  crawl({2}, {{2, "y"}});  // it was stored again
  Batch damage;
  damage.remove(Table::pages, page_key(1));
  damage.put(Table::pages, page_key(3), "damaged");
  ASSERT_TRUE(tables.write(damage));
  EXPECT_EQ(put_back({{"y", 1000}}), 1u);
  EXPECT_THAT(waiting(), ElementsAre("/4 at 1"));
  for (const std::uint64_t n : {1, 2, 3, 4}) {
    const std::string key = archived_key({.file = "x", .offset = n * 100, .length = 0});
    EXPECT_FALSE(tables.get(Table::archived, key)->has_value()) << n;
  }
}

TEST_F(LostPages, CostNoReadingOfOtherFiles) {
  crawl({1, 2}, {{1, "x"}, {2, "x"}});
  for (std::uint64_t n = 10; n < 60; ++n) crawl({n}, {{n, "y"}});
  EXPECT_EQ(put_back({{"x", 200}, {"y", 10'000}}), 1u);
  // The first row of both files. Then of each the last row before its end, twice, and what follows:
  // the lost row, and the end of the other file.
  EXPECT_EQ(tables.rows_read(Table::archived), 2u + 3u + 3u);
}

TEST_F(LostPages, StayIfTheTablesCannotBeRead) {
  crawl({1, 2}, {{1, "x"}, {2, "x"}});
  for (const Table table : {Table::pages, Table::archived, Table::payloads, Table::meta}) {
    SimulatedTables unreadable = tables;
    unreadable.fail_reads(table);
    const auto lost =
        put_back_lost_pages(unreadable, crawler::CrawlOrder::breadth_first,
                            [](std::string_view) { return std::optional<std::uint64_t>(); });
    ASSERT_FALSE(lost) << name(table);
    EXPECT_EQ(lost.error(), Errc::io_failed);
    EXPECT_LE(unreadable.rows_read(Table::archived), table == Table::pages ? 2u : 3u);
  }
  EXPECT_EQ(put_back({}), 2u) << "nothing was written";
}

}  // namespace
}  // namespace gossamer::store

// Tests what the queue of a crawl in tables takes over from an earlier process, and how it fails.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/kept_log.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/stored_work.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kFirstSite = "https://a.example";

class WorkTakeoverTest : public testing::Test {
 protected:
  WorkTakeoverTest() { open(); }

  // Simulates another process.
  void open(StoredWorkOptions options = {.clock = {}}) {
    work.reset();
    journal.emplace(tables, Durability::group);
    work.emplace(*journal, options);
  }
  crawler::Backlog::Recall nothing() {
    crawler::Backlog::Recall recall;
    recall.seen = [](std::uint64_t) {};
    recall.waiting = [](std::string_view, std::uint16_t, std::size_t) {};
    recall.host = [](std::string_view) {};
    return recall;
  }
  std::vector<crawler::Target> messages() {
    std::vector<crawler::Target> all;
    crawler::Backlog::Recall recall = nothing();
    recall.message = [&](std::optional<std::uint64_t>, crawler::Target target) {
      all.push_back(std::move(target));
    };
    work->recall(std::move(recall));
    return all;
  }
  static crawler::Target target_at(std::string url) {
    crawler::Target target;
    target.url = std::move(url);
    target.depth = 1;
    return target;
  }
  std::uint64_t add(std::string_view origin, const std::string& path) {
    return work->add(origin, ++fingerprint_, target_at(std::string(origin) + path), 1, {}).ticket;
  }
  void put_away(std::string_view origin, const std::string& path = "/") {
    work->put_away(origin, ++fingerprint_, target_at(std::string(origin) + path), 1, {});
  }
  std::vector<std::string> taken() {
    std::vector<std::string> texts;
    for (const auto& origin : work->take_in(0, ~0U, 2000).origins) {
      texts.push_back(fmt::format("{} {}", origin.name, origin.waiting));
    }
    return texts;
  }

  SimulatedTables tables;
  std::optional<Journal> journal;
  std::optional<StoredWork> work;

 private:
  std::uint64_t fingerprint_ = 100;
};

// --- links of guesses

TEST_F(WorkTakeoverTest, AGuessThatIsLinkedIsToldAndStaysALink) {
  std::vector<std::uint64_t> linked;
  work->on_linked([&](std::uint64_t fingerprint) { linked.push_back(fingerprint); });
  StoredShare(*work, {}).note_linked(kFirstSite, 77);
  EXPECT_THAT(linked, ElementsAre(77));
  work->commit();
  open();
  std::vector<std::string> counts;
  crawler::Backlog::Recall recall = nothing();
  recall.count = [&](const crawler::StoredCount& count) {
    EXPECT_EQ(count.what, crawler::Counted::guesses);
    counts.push_back(fmt::format("{} {}", count.key, count.count));
  };
  work->recall(std::move(recall));
  EXPECT_THAT(counts, ElementsAre("77 2"));
}

TEST_F(WorkTakeoverTest, ALinkedGuessNeedsNoListener) {
  work->note_linked(kFirstSite, 77);
  work->commit();
  EXPECT_TRUE(tables
                  .get(Table::origins, count_key(crawler::site_number("a.example"),
                                                 {.what = crawler::Counted::guesses, .key = 77}))
                  ->has_value());
}

// --- messages between loops

TEST_F(WorkTakeoverTest, MessagesAfterADamagedChunkArrive) {
  for (const char* const url :
       {"https://a.example/1", "https://a.example/2", "https://a.example/3"}) {
    work->send(1, target_at(url));
    work->commit();
  }
  std::string first;
  ASSERT_TRUE(tables.scan(Table::waiting, {}, [&](std::string_view key, std::string_view) {
    first = key;
    return false;
  }));
  Batch damage;
  damage.put(Table::waiting, first, "x");
  ASSERT_TRUE(tables.write(damage));
  open();
  const support::KeptLog log;
  const auto received = messages();
  EXPECT_TRUE(log.text.contains("cannot read messages")) << log.text;
  ASSERT_EQ(received.size(), 2U);
  EXPECT_EQ(received[0].url, "https://a.example/2");
  EXPECT_EQ(received[1].url, "https://a.example/3");
  for (const crawler::Target& target : received) work->end(target.ticket);
  EXPECT_EQ(work->in_memory(), 0U);
}

// Loops are threads, and a referrer is not made for several.
TEST_F(WorkTakeoverTest, MessagesDoNotShareTheirReferrers) {
  crawler::Target target = target_at("https://a.example/1");
  target.via = crawler::Referrer("https://b.example/");
  work->send(1, target);
  target.url = "https://c.example/1";
  work->send(2, target);
  work->commit();
  open();
  const auto received = messages();
  ASSERT_EQ(received.size(), 2U);
  EXPECT_EQ(received[0].via.url(), "https://b.example/");
  EXPECT_EQ(received[1].via.url(), "https://b.example/");
  EXPECT_NE(received[0].via.url().data(), received[1].via.url().data());
}

// --- numbers

TEST_F(WorkTakeoverTest, WhatIsPutAwayFirstReplacesNothing) {
  add(kFirstSite, "/1");
  work->commit();
  open();
  put_away("https://b.example", "/");
  work->commit();
  EXPECT_THAT(taken(), ElementsAre("https://a.example 1", "https://b.example 1"));
}

TEST_F(WorkTakeoverTest, TheFirstNumberIsFoundWithoutReadingTheQueue) {
  for (int i = 0; i < 100; ++i) {
    add(fmt::format("https://h{}.example", i), "/");
    work->commit();
  }
  work->send(1, target_at("https://a.example/"));
  work->commit();
  open();
  put_away("https://b.example", "/");
  EXPECT_EQ(tables.rows_read(Table::waiting), 1U + 1U) << "the message and the row after it";
  EXPECT_EQ(tables.rows_read(Table::seen), 1U) << "the last one";
}

// --- counts

TEST_F(WorkTakeoverTest, CountsAreReadOnlyOnRequest) {
  const crawler::StoredCount count = {.what = crawler::Counted::tokens, .count = 3, .key = 4};
  work->add(kFirstSite, 1, target_at("https://a.example/"), 1, std::vector{count});
  work->commit();
  open();
  work->recall(nothing());
  EXPECT_THAT(taken(), ElementsAre("https://a.example 1"));
}

// --- origins that leave memory

TEST_F(WorkTakeoverTest, AnOriginThatWasLetGoIsTakenInAgain) {
  const std::uint64_t ticket = add(kFirstSite, "/1");
  work->commit();
  work->let_go(kFirstSite, std::vector{ticket});
  EXPECT_EQ(work->origins_in_memory(), 0U);
  EXPECT_THAT(taken(), ElementsAre("https://a.example 1"));
  EXPECT_EQ(work->more(kFirstSite).targets.size(), 1U);
}

TEST_F(WorkTakeoverTest, ManyOriginsThatAreAwayLeaveMemoryAfterTheCommit) {
  for (int i = 0; i < 6000; ++i) {
    put_away(fmt::format("https://h{}.example", i));
    if (i % 300 == 299) work->commit();
  }
  EXPECT_LT(work->origins_in_memory(), 1000U);
}

// Its memory may belong to another origin, which would leave twice.
TEST_F(WorkTakeoverTest, AnOriginThatWasLetGoDoesNotLeaveAgain) {
  put_away(kFirstSite);
  work->commit();
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(work->take_in(0, ~0U, 2000).origins.size(), i == 0 ? 1U : 2U);
    std::vector<std::uint64_t> tickets;
    for (const crawler::Target& target : work->more(kFirstSite).targets) {
      tickets.push_back(target.ticket);
    }
    if (i > 0) work->let_go("https://b.example", {});
    work->let_go(kFirstSite, tickets);
    put_away("https://b.example");
    put_away(kFirstSite);
    work->commit();
  }
  for (int i = 0; i < 1000; ++i) {
    put_away(fmt::format("https://h{}.example", i));
    work->commit();
  }
  EXPECT_LT(work->origins_in_memory(), 600U);
  EXPECT_EQ(taken().size(), 1002U);
}

// --- the disk

TEST_F(WorkTakeoverTest, NewTargetsStayInMemoryWhenNothingIsLeftOnDisk) {
  open({.clock = {}, .head_max = 1});
  const std::uint64_t first = add(kFirstSite, "/1");
  add(kFirstSite, "/2");
  work->commit();
  work->end(first);
  const auto loaded = work->more(kFirstSite).targets;
  ASSERT_EQ(loaded.size(), 1U);
  work->end(loaded[0].ticket);
  const auto added = work->add(kFirstSite, 9, target_at("https://a.example/3"), 1, {});
  EXPECT_TRUE(added.is_in_memory);
}

TEST_F(WorkTakeoverTest, MoreReadsNoRowsOfOtherOrigins) {
  open({.clock = {}, .head_max = 1});
  for (const char* const path : {"/1", "/2"}) add(kFirstSite, path);
  for (int i = 0; i < 50; ++i) put_away(fmt::format("https://h{}.example", i));
  work->commit();
  EXPECT_EQ(work->more(kFirstSite).targets.size(), 1U);
  EXPECT_EQ(tables.rows_read(Table::waiting), 1U + 1U) << "the target and the row after it";
}

TEST_F(WorkTakeoverTest, AQueueThatCannotBeReadEndsTheCrawl) {
  open({.clock = {}, .head_max = 1});
  for (const char* const path : {"/1", "/2"}) add(kFirstSite, path);
  work->commit();
  tables.fail_reads(Table::waiting);
  EXPECT_THAT(work->more(kFirstSite).targets, IsEmpty());
  ASSERT_TRUE(journal->trouble()) << "its targets would never be fetched";
  EXPECT_EQ(*journal->trouble(), Errc::io_failed);
}

TEST_F(WorkTakeoverTest, TablesThatCannotBeReadEndTheCrawl) {
  add(kFirstSite, "/1");
  work->commit();
  for (const Table table : {Table::seen, Table::waiting, Table::origins}) {
    SimulatedTables unreadable = tables;
    unreadable.fail_reads(table);
    Journal its(unreadable, Durability::group);
    StoredWork left(its, {.clock = {}});
    left.recall(nothing());
    ASSERT_TRUE(its.trouble()) << name(table);
    EXPECT_EQ(*its.trouble(), Errc::io_failed);
  }
}

}  // namespace
}  // namespace gossamer::store

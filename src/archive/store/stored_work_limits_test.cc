// Tests the queue of a crawl in tables at its limits, after damage, and between loops.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/kept_log.h>
#include <tests/support/simulated_tables.h>

#include <optional>
#include <string>
#include <vector>

#include "record/page_row.h"
#include "store/page_table.h"
#include "store/stored_work.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kSite = "https://a.example";
constexpr std::uint32_t kEvery = ~0U;

class NoStorage final : public crawler::RunStorage {
 public:
  Result<void> write(std::size_t, std::span<const std::uint64_t>) override { return {}; }
  Result<void> read(std::size_t, std::size_t, std::span<std::uint64_t>) const override {
    return {};
  }
};

class WorkLimitsTest : public testing::Test {
 protected:
  WorkLimitsTest() { open(); }

  // Simulates another process.
  void open(StoredWorkOptions options = {.head_max = 1}) {
    work.reset();
    journal.emplace(tables, Durability::group);
    work.emplace(*journal, options);
    seen.clear();
    messages.clear();
  }
  void recall(crawler::SiteShare share = {}) {
    crawler::Backlog::Recall recall;
    recall.seen = [this](std::uint64_t fingerprint) { seen.push_back(fingerprint); };
    recall.waiting = [](std::string_view, std::uint16_t, std::size_t) {};
    recall.host = [](std::string_view) {};
    recall.message = [this](std::optional<std::uint64_t>, const crawler::Target& target) {
      messages.push_back(fmt::format("{} from {}", target.url, target.via.url()));
    };
    work->recall_share(std::move(recall), share);
  }
  static crawler::Target target_at(std::string url, std::uint16_t depth = 1) {
    crawler::Target target;
    target.url = std::move(url);
    target.depth = depth;
    return target;
  }
  StoredWork::Stored add(int number, std::uint32_t rank = 1) {
    return work->add(kSite, static_cast<std::uint64_t>(number),
                     target_at(fmt::format("{}/{}", kSite, number)), rank, {});
  }
  void finish(std::uint64_t number) {
    crawler::FetchRecord record;
    record.url = fmt::format("{}/{}", kSite, number);
    journal->pending().put(Table::pages, page_key(number), pack_page(record));
  }
  std::vector<std::string> more() {
    std::vector<std::string> paths;
    last = work->more(kSite);
    for (const auto& target : last.targets) paths.push_back(target.url.substr(kSite.size()));
    return paths;
  }
  std::vector<std::string> taken(std::uint32_t from, std::size_t count_max,
                                 crawler::SiteShare share = {}) {
    const auto found = work->take_in_share(from, kEvery, count_max, share);
    next = found.next;
    std::vector<std::string> names;
    for (const auto& origin : found.origins) names.push_back(origin.name);
    return names;
  }
  std::size_t rows() const {
    std::size_t count = 0;
    EXPECT_TRUE(tables.scan(Table::waiting, "",
                            [&](std::string_view, std::string_view) { return ++count > 0; }));
    return count;
  }

  SimulatedTables tables;
  std::optional<Journal> journal;
  std::optional<StoredWork> work;
  StoredWork::More last;
  std::uint32_t next = 0;
  std::vector<std::uint64_t> seen;
  std::vector<std::string> messages;
};

TEST_F(WorkLimitsTest, ALongQueueReturnsInParts) {
  add(0);
  for (int i = 1; i <= 320; ++i) {
    add(i);
    if (i % 64 == 0) work->commit();
  }
  std::vector<std::string> all;
  for (const std::size_t count : {128, 128, 64, 0}) {
    const std::vector<std::string> part = more();
    EXPECT_EQ(part.size(), count);
    all.insert(all.end(), part.begin(), part.end());
  }
  ASSERT_EQ(all.size(), 320u);
  EXPECT_EQ(all.front(), "/1");
  EXPECT_EQ(all.back(), "/320");
  EXPECT_EQ(work->in_memory(), 321u);
}

TEST_F(WorkLimitsTest, ADamagedChunkIsDroppedAndItsTargetsEnd) {
  add(1);
  add(2);
  add(3);
  work->commit();
  Batch damage;
  ASSERT_TRUE(tables.scan(Table::waiting, "", [&](std::string_view key, std::string_view row) {
    damage.put(Table::waiting, std::string(key), std::string(row.substr(0, row.size() - 1)));
    return true;
  }));
  ASSERT_TRUE(tables.write(damage));
  open();
  recall();
  EXPECT_THAT(taken(0, 10), ElementsAre(kSite));
  const support::KeptLog log;
  EXPECT_THAT(more(), IsEmpty());
  EXPECT_TRUE(log.text.contains("cannot read a chunk of https://a.example")) << log.text;
  EXPECT_THAT(last.ended, ElementsAre(1, 1, 1));
  work->commit();
  EXPECT_EQ(rows(), 0u);
}

TEST_F(WorkLimitsTest, AChunkWhoseTargetsAreAllFinishedIsDropped) {
  open({.head_max = 10});
  add(1);
  add(2);
  finish(1);
  finish(2);
  work->commit();
  open();
  recall();
  taken(0, 10);
  EXPECT_THAT(more(), IsEmpty());
  EXPECT_THAT(last.ended, ElementsAre(1, 1));
  work->commit();
  EXPECT_EQ(rows(), 0u);
}

// Otherwise the finished ones of a chunk would be fetched again.
TEST_F(WorkLimitsTest, AnOriginWithAPartlyFinishedChunkStaysInMemory) {
  for (const bool is_begun : {true, false}) {
    tables = SimulatedTables();
    open({.head_max = 10});
    add(1);
    add(2);
    if (is_begun) finish(1);
    work->commit();
    open();
    recall();
    taken(0, 10);
    EXPECT_EQ(more().size(), is_begun ? 1u : 2u);
    EXPECT_EQ(work->can_let_go(kSite, is_begun ? 1 : 2), !is_begun);
  }
}

TEST_F(WorkLimitsTest, AnUnknownOriginCanLeaveWithNothing) {
  EXPECT_TRUE(work->can_let_go("https://b.example", 0));
  EXPECT_FALSE(work->can_let_go("https://b.example", 1));
  work->fail_with(Error(Errc::io_failed, "broken"));
  EXPECT_FALSE(work->can_let_go("https://b.example", 0)) << "the state is unreliable";
}

TEST_F(WorkLimitsTest, TheRanksInMemoryKeepTheirOrderForTheNextProcess) {
  add(1, 2);
  add(2, 3);  // on disk
  EXPECT_TRUE(add(3, 1).is_in_memory);
  work->commit();
  open();
  recall();
  taken(0, 10);
  EXPECT_THAT(more(), ElementsAre("/3", "/1", "/2"));
}

TEST_F(WorkLimitsTest, ATargetBeforeTheLastInMemoryStaysThereToo) {
  open({.head_max = 2});
  add(1, 1);
  add(2, 3);
  EXPECT_TRUE(add(3, 2).is_in_memory) << "nothing is on disk, and it ranks before the last";
  EXPECT_FALSE(add(4, 3).is_in_memory);
}

TEST_F(WorkLimitsTest, WhatWasLoadedHasItsRank) {
  open({.head_max = 1});
  const auto first = add(1, 1);
  add(2, 3);
  work->commit();
  work->end(first.ticket);
  EXPECT_THAT(more(), ElementsAre("/2"));
  EXPECT_TRUE(add(3, 2).is_in_memory) << "before the one that was loaded";
  EXPECT_FALSE(add(4, 3).is_in_memory);
}

// --- origins that are away

TEST_F(WorkLimitsTest, OriginsReturnOneByOneFromWhereTheLastCallEnded) {
  for (int i = 0; i < 4; ++i) {
    const std::string origin = fmt::format("https://h{}.example", i);
    work->put_away(origin, static_cast<std::uint64_t>(i + 10), target_at(origin + "/"), 1, {});
  }
  std::vector<std::string> all;
  std::uint32_t from = 0;
  for (int calls = 0; calls < 4; ++calls) {
    const auto names = taken(from, 1);
    ASSERT_EQ(names.size(), 1u) << calls;
    all.push_back(names[0]);
    EXPECT_EQ(next == 0, calls == 3);
    EXPECT_TRUE(next == 0 || next > from);
    from = next;
  }
  EXPECT_THAT(all, ElementsAre("https://h0.example", "https://h1.example", "https://h2.example",
                               "https://h3.example"));
  work->commit();
  open();
  recall();
  EXPECT_THAT(seen, UnorderedElementsAre(10, 11, 12, 13));
}

TEST_F(WorkLimitsTest, EachLoopTakesInItsOwnOrigins) {
  for (int i = 0; i < 20; ++i) {
    const std::string origin = fmt::format("https://site-{}.example", i);
    work->put_away(origin, static_cast<std::uint64_t>(i + 10), target_at(origin + "/"), 1, {});
  }
  const std::size_t first = taken(0, 100, {.index = 0, .count = 2}).size();
  const std::size_t second = taken(0, 100, {.index = 1, .count = 2}).size();
  EXPECT_GT(first, 0u);
  EXPECT_GT(second, 0u);
  EXPECT_EQ(first + second, 20u);
}

TEST_F(WorkLimitsTest, AnOriginWithANewTargetInMemoryIsNotAway) {
  work->put_away(kSite, 1, target_at("https://a.example/1"), 1, {});
  add(2, 0);
  EXPECT_THAT(taken(0, 10), IsEmpty());
  EXPECT_THAT(more(), ElementsAre("/1"));
}

// --- redirects of roots, messages, seen URLs

TEST_F(WorkLimitsTest, ThePlaceThatARootRedirectsToIsStored) {
  const auto note = [&](const std::string& url, bool is_root, std::string via, int way) {
    crawler::Target target = target_at(url);
    if (is_root) target.purpose = crawler::Purpose::root;
    if (!via.empty()) target.via = crawler::Referrer(std::move(via));
    if (way == 0) work->add(kSite, 1, target, 1, {});
    if (way == 1) work->put_away(kSite, 2, target, 1, {});
    if (way == 2) work->send(3, target);
    work->commit();
    return *tables.get(Table::meta, std::string(kRootPlaceKey) + url);
  };
  for (const int way : {0, 1, 2}) {
    EXPECT_EQ(note(fmt::format("https://a.example/to{}", way), true, "https://a.example/", way),
              "https://a.example/");
    EXPECT_EQ(note(fmt::format("https://a.example/root{}", way), true, "", way), std::nullopt);
    EXPECT_EQ(note(fmt::format("https://a.example/link{}", way), false, "https://a.example/", way),
              std::nullopt);
  }
}

TEST_F(WorkLimitsTest, EachLoopReceivesItsMessagesWithTheirReferrers) {
  std::vector<std::string> expected;
  for (std::uint64_t i = 0; i < 20; ++i) {
    crawler::Target target = target_at(fmt::format("https://site-{}.example/", i));
    target.via = crawler::Referrer("https://a.example/from");
    work->send(i, target);
    expected.push_back(target.url + " from https://a.example/from");
  }
  work->commit();
  open();
  recall({.index = 0, .count = 2});
  const std::size_t first = messages.size();
  EXPECT_GT(first, 0u);
  EXPECT_LT(first, 20u);
  recall({.index = 1, .count = 2});
  EXPECT_THAT(messages, testing::UnorderedElementsAreArray(expected));
}

TEST_F(WorkLimitsTest, TheNextProcessMayListTheUnfinishedTargets) {
  for (const int number : {1, 2, 3}) add(number);
  work->commit();
  finish(2);
  work->commit();
  open();
  std::vector<std::string> urls;
  crawler::Backlog::Recall recall;
  recall.seen = [](std::uint64_t) {};
  recall.waiting = [](std::string_view, std::uint16_t, std::size_t) {};
  recall.host = [](std::string_view) {};
  recall.target = [&](std::uint64_t fingerprint, const crawler::Target& target) {
    urls.push_back(fmt::format("{} {}", fingerprint, target.url));
  };
  work->recall(std::move(recall));
  EXPECT_THAT(urls, ElementsAre("1 https://a.example/1", "3 https://a.example/3"));
}

TEST_F(WorkLimitsTest, ALoopWorksOnTheTablesOfAll) {
  StoredShare share(*work, {});
  const std::uint64_t ticket = share.add(kSite, 1, target_at("https://a.example/1"), 1, {}).ticket;
  share.commit();
  ASSERT_TRUE(share.can_let_go(kSite, 1));
  share.let_go(kSite, std::vector{ticket});
  EXPECT_EQ(work->in_memory(), 0u);
  share.put_away(kSite, 2, target_at("https://a.example/2"), 1, {});
  EXPECT_EQ(share.take_in(0, kEvery, 9).origins.size(), 1u);
  const auto targets = share.more(kSite).targets;
  ASSERT_EQ(targets.size(), 2u);
  share.note_rules(kSite, "User-agent: *", Instant(1h));
  share.note_host("a.example", {});
  share.commit();
  EXPECT_TRUE(share.rules_of(kSite));
  EXPECT_TRUE(share.pace_of("a.example"));
  for (const crawler::Target& target : targets) share.end(target.ticket);
  EXPECT_EQ(work->in_memory(), 0u);
}

TEST_F(WorkLimitsTest, ALoopMayStoreSeenUrls) {
  StoredShare share(*work, {});
  EXPECT_FALSE(share.seen_spill());
  NoStorage storage;
  share.give_seen(1000, storage);
  auto spill = share.seen_spill();
  ASSERT_TRUE(spill);
  EXPECT_EQ(spill->bytes_max, 1000u);
  EXPECT_EQ(spill->storage, &storage);
  spill->on_failure(Error(Errc::io_failed, "broken"));
  ASSERT_TRUE(journal->trouble());
  EXPECT_EQ(*journal->trouble(), Errc::io_failed) << "a page could be fetched twice";
}

}  // namespace
}  // namespace gossamer::store

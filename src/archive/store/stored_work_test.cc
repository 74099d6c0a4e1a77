#include "store/stored_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "record/page_row.h"
#include "record/record.h"
#include "store/page_table.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::string_view kOrigin = "https://a.example";
constexpr std::uint32_t kAnyRank = ~0U;

class StoredWorkTest : public testing::Test {
 protected:
  StoredWorkTest() { open(); }

  // Simulates another process.
  void open(StoredWorkOptions options = {.head_max = 2}) {
    work.reset();
    journal.emplace(tables, Durability::group);
    work.emplace(*journal, options);
  }

  StoredWork::Stored add(const std::string& path, std::uint16_t depth = 1,
                         std::span<const crawler::StoredCount> counts = {}) {
    crawler::Target target;
    target.url = std::string(kOrigin) + path;
    target.depth = depth;
    return work->add(kOrigin, ++last_fingerprint_, target, depth, counts);
  }

  std::vector<std::string> more() {
    std::vector<std::string> paths;
    last_ = work->more(kOrigin);
    for (const crawler::Target& target : last_.targets) {
      paths.push_back(target.url.substr(kOrigin.size()));
    }
    return paths;
  }

  // The state that a new process receives.
  std::map<std::uint16_t, std::size_t> recalled_depths() {
    std::map<std::uint16_t, std::size_t> depths;
    crawler::Backlog::Recall recall;
    recall.seen = [this](std::uint64_t fingerprint) { seen.push_back(fingerprint); };
    recall.waiting = [&](std::string_view origin, std::uint16_t depth, std::size_t count) {
      EXPECT_EQ(origin, kOrigin);
      depths[depth] += count;
    };
    recall.host = [](std::string_view) {};
    work->recall(std::move(recall));
    pace = work->pace_of("a.example");
    rules = work->rules_of(kOrigin).value_or(crawler::StoredRules{}).source;
    taken = work->take_in(0, kAnyRank, 100);
    return depths;
  }

  SimulatedTables tables;
  std::optional<Journal> journal;
  std::optional<StoredWork> work;
  StoredWork::More last_;
  std::vector<std::uint64_t> seen;
  std::optional<crawler::PaceMemory> pace;
  std::string rules;
  StoredWork::TakenIn taken;

 private:
  std::uint64_t last_fingerprint_ = 100;
};

TEST_F(StoredWorkTest, TargetsOnDiskReturnInOrder) {
  EXPECT_TRUE(add("/1").is_in_memory);
  work->commit();
  EXPECT_TRUE(add("/2").is_in_memory);
  work->commit();
  EXPECT_FALSE(add("/3").is_in_memory);
  EXPECT_FALSE(add("/deep", 2).is_in_memory);
  work->commit();
  EXPECT_FALSE(add("/4").is_in_memory);
  // It has a lower rank than all targets on disk, so it must come before them.
  EXPECT_TRUE(add("/near", 0).is_in_memory);
  EXPECT_THAT(more(), ElementsAre("/3", "/4", "/deep"));
  EXPECT_THAT(more(), IsEmpty());
}

// Those on disk are claimed after those in memory, whatever their ranks, so their ranks decide.
TEST_F(StoredWorkTest, ATargetBesideAFullHeadStaysInMemoryIfItRanksBeforeIt) {
  add("/1", 2);
  add("/2", 3);
  EXPECT_FALSE(add("/3", 3).is_in_memory) << "equal to the last in memory";
  EXPECT_TRUE(add("/near", 2).is_in_memory);
  EXPECT_FALSE(add("/4", 3).is_in_memory) << "equal to the first on disk";
  EXPECT_EQ(work->in_memory(), 3u);
  EXPECT_THAT(more(), ElementsAre("/3", "/4"));
}

TEST_F(StoredWorkTest, AnEmptyHeadTakesNothingThatRanksAfterTheDisk) {
  const auto first = add("/1");
  const auto second = add("/2");
  add("/3", 2);
  add("/4", 3);
  work->commit();
  work->end(first.ticket);
  work->end(second.ticket);
  EXPECT_FALSE(add("/5", 2).is_in_memory) << "/3 was found earlier";
  EXPECT_TRUE(add("/near", 1).is_in_memory);
  EXPECT_THAT(more(), ElementsAre("/3", "/5", "/4"));
  EXPECT_FALSE(add("/6", 9).is_in_memory) << "four are in memory again";
}

TEST_F(StoredWorkTest, InOtherOrdersAFullHeadTakesNothing) {
  open({.order = crawler::CrawlOrder::depth_first, .head_max = 2});
  EXPECT_TRUE(add("/1", 5).is_in_memory);
  EXPECT_TRUE(add("/2", 5).is_in_memory);
  EXPECT_FALSE(add("/3", 4).is_in_memory);
  EXPECT_FALSE(add("/4", 1).is_in_memory) << "after the first on disk, whatever its rank";
  work->commit();
  EXPECT_THAT(more(), ElementsAre("/3", "/4"));
}

TEST_F(StoredWorkTest, AnOriginHasOnlyAFewInMemoryIfAllTogetherHaveTooMany) {
  open({.head_max = 100, .heads_max = 20});
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(add("/a").is_in_memory) << i;
  EXPECT_FALSE(add("/b").is_in_memory) << "this one has more than a few";
  crawler::Target other;
  other.url = "https://b.example/";
  for (std::uint64_t i = 0; i < 9; ++i) {
    EXPECT_EQ(work->add("https://b.example", 1000 + i, other, 0, {}).is_in_memory, i < 8) << i;
  }
}

TEST_F(StoredWorkTest, AChunkIsRemovedWithItsLastTarget) {
  const auto first = add("/1");
  const auto second = add("/2");
  EXPECT_EQ(first.ticket, second.ticket);
  work->commit();
  work->end(first.ticket);
  work->commit();
  EXPECT_THAT(recalled_depths(), ElementsAre(Pair(1, 2)));
  work->end(second.ticket);
  work->commit();
  open();
  EXPECT_THAT(recalled_depths(), IsEmpty());
}

TEST_F(StoredWorkTest, ATargetThatIsFinishedBeforeTheCommitIsNotWritten) {
  const auto kept = add("/1");
  work->end(kept.ticket);
  work->commit();
  EXPECT_THAT(recalled_depths(), IsEmpty());
  EXPECT_THAT(seen, ElementsAre(101));
}

TEST_F(StoredWorkTest, AnotherProcessSkipsFinishedTargets) {
  add("/1");
  add("/2");
  crawler::FetchRecord record;
  record.url = "https://a.example/1";
  journal->pending().put(Table::pages, page_key(101), pack_page(record));
  work->commit();
  open();
  EXPECT_THAT(recalled_depths(), ElementsAre(Pair(1, 2)));
  EXPECT_THAT(more(), ElementsAre("/2"));
  EXPECT_THAT(last_.ended, ElementsAre(1));
  // When that is finished, too, nothing is left.
  work->end(last_.targets[0].ticket);
  work->commit();
  open();
  EXPECT_THAT(recalled_depths(), IsEmpty());
}

TEST_F(StoredWorkTest, WithoutACommitNothingIsStored) {
  add("/1");
  open();
  EXPECT_THAT(recalled_depths(), IsEmpty());
  EXPECT_THAT(seen, IsEmpty());
}

TEST_F(StoredWorkTest, HostsAndTheirRulesSurviveAnotherClock) {
  const StoredWorkOptions first = {
      .clock = {.wall_start = {.seconds = 1000}, .loop_start = Instant(5s)}};
  open(first);
  crawler::PaceMemory before;
  before.ready_at = Instant(65s);  // a minute after the start
  before.backoff = 3s;
  before.failures = 2;
  work->note_host("a.example", before);
  work->note_rules(kOrigin, "User-agent: *\n", Instant(3605s));
  work->commit();

  // Twenty seconds later, on a loop whose clock starts at another time.
  open({.clock = {.wall_start = {.seconds = 1020}, .loop_start = Instant(100s)}});
  recalled_depths();
  ASSERT_TRUE(pace);
  EXPECT_EQ(pace->ready_at, Instant(140s));
  EXPECT_EQ(pace->backoff, Duration(3s));
  EXPECT_EQ(pace->failures, 2);
  EXPECT_EQ(rules, "User-agent: *\n");
}

TEST_F(StoredWorkTest, AClockThatIsSetBackDoesNotCauseLongPauses) {
  open({.clock = {.wall_start = {.seconds = 1'000'000'000}, .loop_start = Instant(0s)}});
  crawler::PaceMemory before;
  before.ready_at = Instant(10s);
  work->note_host("a.example", before);
  work->commit();
  open({.clock = {.wall_start = {.seconds = 1000}, .loop_start = Instant(0s)}});
  recalled_depths();
  EXPECT_LE(pace->ready_at, Instant(24h));
}

TEST_F(StoredWorkTest, AClockThatIsSetBackDoesNotExtendPauses) {
  open({.clock = {.wall_start = {.seconds = 1'000'000'000}, .loop_start = Instant(0s), .now = [] {
                    return Instant(3s);
                  }}});
  crawler::PaceMemory before;
  before.ready_at = Instant(10s);
  work->note_host("a.example", before);
  work->commit();
  open({.clock = {.wall_start = {.seconds = 1000}, .loop_start = Instant(0s)}});
  recalled_depths();
  EXPECT_EQ(pace->ready_at, Instant(7s));

  // They do not grow in a third process either, if the second one has written something else.
  open({.clock = {.wall_start = {.seconds = 1000}, .loop_start = Instant(0s), .now = [] {
                    return Instant(2s);
                  }}});
  recalled_depths();
  add("/1");
  work->commit();
  open({.clock = {.wall_start = {.seconds = 1010}, .loop_start = Instant(0s)}});
  recalled_depths();
  EXPECT_EQ(pace->ready_at, Instant(5s));
}

TEST_F(StoredWorkTest, ABatchWaitsWhileTheDiskIsFull) {
  tables.fail_write(1, Errc::no_space);
  int told = 0;
  journal->on_trouble([&told] { ++told; });
  add("/1");
  work->commit();
  EXPECT_EQ(told, 1);
  add("/2");
  work->commit();
  EXPECT_TRUE(journal->try_again());
  EXPECT_THAT(recalled_depths(), ElementsAre(Pair(1, 2)));
}

TEST_F(StoredWorkTest, AFailureIsPermanent) {
  tables.fail_write(1, Errc::io_failed);
  add("/1");
  work->commit();
  ASSERT_TRUE(journal->trouble());
  EXPECT_FALSE(journal->try_again());
}

// --- several loops

// The state that one of several loops receives.
struct Recalled {
  std::vector<std::string> origins;
  std::vector<std::uint64_t> seen;
  std::vector<std::string> hosts;
  std::map<std::string, std::uint64_t> messages;  // with their tickets
  std::vector<std::string> again;
  std::map<std::pair<crawler::Counted, std::uint64_t>, std::uint32_t> counts;
};

Recalled recall(StoredWork& work, crawler::SiteShare share) {
  Recalled told;
  crawler::Backlog::Recall recall;
  recall.seen = [&](std::uint64_t fingerprint) { told.seen.push_back(fingerprint); };
  recall.waiting = [&](std::string_view origin, std::uint16_t, std::size_t) {
    told.origins.emplace_back(origin);
  };
  recall.host = [&](std::string_view name) { told.hosts.emplace_back(name); };
  recall.message = [&](std::optional<std::uint64_t> fingerprint, const crawler::Target& target) {
    if (!fingerprint) told.again.push_back(target.url);
    told.messages.emplace(target.url, target.ticket);
  };
  recall.count = [&](const crawler::StoredCount& kept) {
    told.counts[{kept.what, kept.key}] = kept.count;
  };
  StoredShare(work, share).recall(std::move(recall));
  return told;
}

crawler::Target target_at(const std::string& url) {
  crawler::Target target;
  target.url = url;
  target.via = crawler::Referrer("https://a.example/page");
  return target;
}

TEST_F(StoredWorkTest, EachLoopReceivesOnlyItsSites) {
  constexpr std::uint64_t kSites = 40;
  for (std::uint64_t i = 0; i < kSites; ++i) {
    const std::string origin = "https://www.site-" + std::to_string(i) + ".example";
    work->add(origin, 1000 + i, target_at(origin + "/"), 0,
              std::vector<crawler::StoredCount>{
                  {.what = crawler::Counted::host_urls, .count = 1, .key = i}});
    work->note_host("www.site-" + std::to_string(i) + ".example", {});
  }
  work->commit();
  for (const std::uint32_t loops : {1U, 2U, 3U}) {
    open();
    Recalled all;
    for (std::uint32_t i = 0; i < loops; ++i) {
      const Recalled one = recall(*work, {.index = i, .count = loops});
      EXPECT_GT(one.origins.size(), kSites / loops / 3);
      EXPECT_EQ(one.seen.size(), one.origins.size());
      EXPECT_EQ(one.hosts.size(), one.origins.size());
      EXPECT_EQ(one.counts.size(), one.origins.size());
      all.origins.insert(all.origins.end(), one.origins.begin(), one.origins.end());
    }
    std::ranges::sort(all.origins);
    EXPECT_EQ(std::ranges::unique(all.origins).begin(), all.origins.end());
    EXPECT_EQ(all.origins.size(), kSites);
  }
}

TEST_F(StoredWorkTest, CountsAreStoredWithTheirUrl) {
  using crawler::Counted;
  const auto counted = [](std::uint32_t count) {
    return std::vector<crawler::StoredCount>{{.what = Counted::host_urls, .count = count, .key = 7},
                                             {.what = Counted::dates, .count = 40, .key = ~7ULL}};
  };
  add("/1", 1, counted(1));
  add("/2", 1, counted(2));
  EXPECT_EQ(tables.writes(), 0u);
  work->commit();
  add("/3", 1, counted(3));  // and is killed
  open();
  EXPECT_THAT(recall(*work, {}).counts, ElementsAre(Pair(Pair(Counted::host_urls, 7), 2),
                                                    Pair(Pair(Counted::dates, ~7ULL), 40)));
  add("/3", 1, counted(3));
  work->commit();
  open();
  EXPECT_THAT(recall(*work, {}).counts, ElementsAre(Pair(Pair(Counted::host_urls, 7), 3),
                                                    Pair(Pair(Counted::dates, ~7ULL), 40)));
}

TEST_F(StoredWorkTest, AMessageReturnsUntilItIsOpened) {
  const std::uint64_t ticket = work->send(7, target_at("https://b.example/1"));
  EXPECT_EQ(work->send(8, target_at("https://c.example/2")), ticket);
  work->commit();
  EXPECT_THAT(tables.writes(), 1u) << "in one batch with the page";
  work->end(ticket);
  work->commit();
  open();
  const Recalled told = recall(*work, {});
  EXPECT_THAT(told.messages, ElementsAre(Pair("https://b.example/1", ticket),
                                         Pair("https://c.example/2", ticket)));
  EXPECT_THAT(told.seen, IsEmpty()) << "the loop that opens it adds it to the seen URLs";
  EXPECT_THAT(told.origins, IsEmpty());
  EXPECT_THAT(recall(*work, {}).messages, IsEmpty()) << "once per process";
  for (int i = 0; i < 2; ++i) work->end(ticket);
  work->commit();
  open();
  EXPECT_THAT(recall(*work, {}).messages, IsEmpty());
}

// Pages that are fetched again are queued before the loops begin.
TEST_F(StoredWorkTest, WhatIsPutAwayBeforeTheRecallIsQueued) {
  const crawler::Target target = target_at("https://b.example/1");
  work->put_away("https://b.example", std::nullopt, target, 0, {});
  work->commit();
  EXPECT_THAT(recall(*work, {}).origins, ElementsAre("https://b.example"));
  const auto taken = work->take_in_share(0, 9, 9, {});
  ASSERT_EQ(taken.origins.size(), 1u);
  EXPECT_EQ(taken.origins[0].waiting, 1u);
  const auto more = work->more("https://b.example");
  ASSERT_EQ(more.targets.size(), 1u);
  EXPECT_EQ(more.targets[0].url, "https://b.example/1");
}

}  // namespace
}  // namespace gossamer::store

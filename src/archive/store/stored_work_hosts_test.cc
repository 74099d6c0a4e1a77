// Tests origins that are not in memory.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/stored_work.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kEveryRank = ~0U;

std::string origin_of(int host) { return fmt::format("https://h{}.example", host); }

class AwayOriginsTest : public testing::Test {
 protected:
  AwayOriginsTest() { open(); }

  // Simulates another process.
  void open(StoredWorkOptions options = {.clock = {}}) {
    work.reset();
    journal.emplace(tables, Durability::group);
    work.emplace(*journal, options);
    waiting = 0;
    hosts.clear();
    crawler::Backlog::Recall recall;
    recall.seen = [](std::uint64_t) {};
    recall.waiting = [&](std::string_view, std::uint16_t, std::size_t count) { waiting += count; };
    recall.host = [&](std::string_view name) { hosts.emplace_back(name); };
    work->recall(std::move(recall));
  }

  void put_away(int host, const std::string& path, std::uint16_t depth = 1) {
    work->put_away(origin_of(host), ++last_fingerprint_, target_at(host, path, depth), depth, {});
  }
  std::uint64_t add(int host, const std::string& path, std::uint16_t depth = 1) {
    return work->add(origin_of(host), ++last_fingerprint_, target_at(host, path, depth), depth, {})
        .ticket;
  }
  // "https://h1.example 2": it has two queued targets.
  std::vector<std::string> take_in(std::uint32_t from = 0, std::uint32_t rank_max = kEveryRank,
                                   std::size_t count_max = 100) {
    StoredWork::TakenIn taken = work->take_in(from, rank_max, count_max);
    next = taken.next;
    std::vector<std::string> texts;
    for (const auto& origin : taken.origins) {
      texts.push_back(fmt::format("{} {}", origin.name, origin.waiting));
    }
    return texts;
  }
  std::vector<std::string> more(int host) {
    std::vector<std::string> urls;
    tickets.clear();
    for (const crawler::Target& target : work->more(origin_of(host)).targets) {
      urls.push_back(target.url);
      tickets.push_back(target.ticket);
    }
    return urls;
  }

  SimulatedTables tables;
  std::optional<Journal> journal;
  std::optional<StoredWork> work;
  std::uint32_t next = 0;
  std::size_t waiting = 0;
  std::vector<std::string> hosts;
  std::vector<std::uint64_t> tickets;

 private:
  static crawler::Target target_at(int host, const std::string& path, std::uint16_t depth) {
    crawler::Target target;
    target.url = origin_of(host) + path;
    target.depth = depth;
    return target;
  }

  std::uint64_t last_fingerprint_ = 100;
};

TEST_F(AwayOriginsTest, TakeNoMemory) {
  for (int i = 0; i < 10'000; ++i) {
    put_away(i, "/");
    if (i % 10 == 0) work->commit();
  }
  EXPECT_LT(work->origins_in_memory(), 600u);
  EXPECT_EQ(work->in_memory(), 0u);
}

TEST_F(AwayOriginsTest, ReturnInTheOrderOfTheirDiscovery) {
  for (const int host : {3, 1, 2}) put_away(host, "/1");
  work->commit();
  put_away(1, "/2");
  EXPECT_THAT(take_in(0, kEveryRank, 2),
              ElementsAre("https://h3.example 1", "https://h1.example 2"));
  EXPECT_THAT(take_in(next), ElementsAre("https://h2.example 1"));
  EXPECT_EQ(next, 0u);
  EXPECT_THAT(take_in(), IsEmpty()) << "they are in memory";
  EXPECT_THAT(more(1), ElementsAre("https://h1.example/1", "https://h1.example/2"));
}

TEST_F(AwayOriginsTest, AreFoundAfterOneWithMuchInMemory) {
  for (int i = 0; i < 100; ++i) {
    add(1, fmt::format("/{}", i));
    work->commit();
  }
  put_away(2, "/1");
  put_away(2, "/2");
  put_away(3, "/1");
  EXPECT_THAT(take_in(), ElementsAre("https://h2.example 2", "https://h3.example 1"));
  EXPECT_EQ(next, 0u);
}

TEST_F(AwayOriginsTest, StayAwayUntilTheirLevelIsReached) {
  put_away(1, "/deep", 2);
  put_away(2, "/deep", 2);
  put_away(2, "/near", 1);
  EXPECT_THAT(take_in(0, 1), ElementsAre("https://h2.example 2"));
  EXPECT_THAT(take_in(0, 2), ElementsAre("https://h1.example 1"));
}

TEST_F(AwayOriginsTest, AreVisibleToAnotherProcess) {
  for (const int host : {1, 2, 3}) put_away(host, "/1");
  add(4, "/1");
  work->commit();
  put_away(5, "/1");  // and is killed
  open();
  EXPECT_EQ(waiting, 4u);
  EXPECT_THAT(hosts, ElementsAre("h1.example", "h2.example", "h3.example", "h4.example"));
  EXPECT_EQ(work->origins_in_memory(), 0u);
  put_away(3, "/2");
  put_away(6, "/1");
  EXPECT_THAT(take_in(),
              ElementsAre("https://h1.example 1", "https://h2.example 1", "https://h3.example 2",
                          "https://h4.example 1", "https://h6.example 1"));
}

TEST_F(AwayOriginsTest, LeaveMemoryWithTheirTargets) {
  const std::uint64_t first = add(1, "/1");
  EXPECT_EQ(add(1, "/2"), first);
  EXPECT_FALSE(work->can_let_go(origin_of(1), 2)) << "it is not written yet";
  work->commit();
  EXPECT_FALSE(work->can_let_go(origin_of(1), 1)) << "the other target is claimed";
  ASSERT_TRUE(work->can_let_go(origin_of(1), 2));
  work->let_go(origin_of(1), std::vector{first, first});
  EXPECT_EQ(work->in_memory(), 0u);
  EXPECT_EQ(work->origins_in_memory(), 0u);
  put_away(1, "/3");
  EXPECT_THAT(take_in(), ElementsAre("https://h1.example 3"));
  EXPECT_THAT(more(1),
              ElementsAre("https://h1.example/1", "https://h1.example/2", "https://h1.example/3"));
  // When they are finished, nothing is left.
  for (const std::uint64_t ticket : tickets) work->end(ticket);
  work->commit();
  open();
  EXPECT_EQ(waiting, 0u);
}

// The finished targets of a chunk are not stored anywhere.
TEST_F(AwayOriginsTest, DoNotLeaveMemoryInTheMiddleOfAChunk) {
  const std::uint64_t ticket = add(1, "/1");
  add(1, "/2");
  work->commit();
  work->end(ticket);
  work->commit();
  EXPECT_FALSE(work->can_let_go(origin_of(1), 1));
  work->end(ticket);
  work->commit();
  EXPECT_TRUE(work->can_let_go(origin_of(1), 0));
}

TEST_F(AwayOriginsTest, KeepTheirNumberWhileTheDiskIsFull) {
  tables.fail_write(1, Errc::no_space);
  put_away(1, "/1");
  work->commit();
  for (int i = 2; i < 2000; ++i) put_away(i, "/");  // so that some would leave memory
  put_away(1, "/2");
  EXPECT_THAT(take_in(), IsEmpty()) << "the state is unreliable";
  ASSERT_TRUE(journal->try_again());
  EXPECT_THAT(take_in(0, kEveryRank, 1), ElementsAre("https://h1.example 2"));
}

// The first version of the format lacks the names by number.
TEST_F(AwayOriginsTest, OfDirectoriesOfEarlierVersionsReturn) {
  for (int i = 0; i < 5; ++i) put_away(i, "/");
  work->commit();
  Batch forget;
  ASSERT_TRUE(tables.scan(Table::origins, "i", [&](std::string_view key, std::string_view) {
    if (key.front() == 'i') forget.remove(Table::origins, std::string(key));
    return key.front() == 'i';
  }));
  EXPECT_EQ(forget.changes.size(), 5u);
  ASSERT_TRUE(tables.write(forget));
  open();
  EXPECT_EQ(waiting, 5u);
  EXPECT_EQ(take_in().size(), 5u);
}

TEST_F(AwayOriginsTest, KeepPausesThatStartLateInAProcess) {
  static Instant now;
  now = Instant(0s);
  open({.clock = {.wall_start = {.seconds = 1000}, .loop_start = Instant(0s), .now = [] {
                    return now;
                  }}});
  now = Instant(100h);
  crawler::PaceMemory pace;
  pace.ready_at = now + 30s;
  work->note_host("h1.example", pace);
  work->note_rules(origin_of(1), "Allow: /", now + 12h);
  work->commit();
  EXPECT_EQ(work->pace_of("h1.example")->ready_at, now + 30s);
  EXPECT_EQ(work->rules_of(origin_of(1))->good_until, now + 12h);
  EXPECT_EQ(work->pace_of("h2.example").has_value(), false);
}

}  // namespace
}  // namespace gossamer::store

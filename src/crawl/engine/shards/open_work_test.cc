#include "frontier/open_work.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/simulated/world.h"

namespace gossamer::crawler {
namespace {

TEST(OpenWorkTest, IsDoneWhenAllTargetsHaveEnded) {
  sim::World world = sim::World::calm();
  OpenWork work(std::nullopt, false);
  int told = 0;
  const OpenWork::Listener listener(work, world.loop(), [&told] { ++told; });
  EXPECT_TRUE(work.is_done());
  work.begin(0);
  work.begin(1);
  work.end(0);
  EXPECT_FALSE(work.is_done());
  EXPECT_EQ(told, 0);
  work.end(1);
  EXPECT_TRUE(work.is_done());
  EXPECT_EQ(told, 1);
}

TEST(OpenWorkTest, IsNotDoneWhileItIsHeld) {
  OpenWork work(std::nullopt, false);
  work.hold();
  work.begin(0);
  work.end(0);
  EXPECT_FALSE(work.is_done());
  work.release();
  EXPECT_TRUE(work.is_done());
}

TEST(OpenWorkTest, RaisesTheLevelWhenNothingOfItIsOpen) {
  sim::World world = sim::World::calm();
  OpenWork work(std::nullopt, true);
  std::vector<std::uint16_t> levels;
  const OpenWork::Listener listener(work, world.loop(), [&] { levels.push_back(work.level()); });
  work.begin(0);
  work.begin(2);
  work.begin(2);
  work.end(0);
  work.begin(1);  // found late: the level returns to it
  EXPECT_EQ(work.level(), 1);
  work.end(1);
  EXPECT_EQ(work.level(), 2);
  EXPECT_EQ(levels, (std::vector<std::uint16_t>{2, 2}));
}

TEST(OpenWorkTest, RespectsTheLimitOfPages) {
  OpenWork work(2, false);
  work.begin(0);
  work.begin(0);
  work.begin(0);
  EXPECT_TRUE(work.take_page());
  EXPECT_TRUE(work.take_page());
  EXPECT_FALSE(work.take_page());
  EXPECT_FALSE(work.is_spent()) << "two are claimed and may be given back";
  work.finish_page();
  work.give_back_page();
  EXPECT_TRUE(work.take_page());
  work.finish_page();
  EXPECT_TRUE(work.is_spent());
  work.end(0);
  work.end(0);
  work.end(0);
  EXPECT_FALSE(work.is_spent()) << "no targets are left";
}

TEST(OpenWorkTest, NotifiesWhenPagesAreAvailableAgain) {
  sim::World world = sim::World::calm();
  OpenWork work(1, false);
  int told = 0;
  const OpenWork::Listener listener(work, world.loop(), [&told] { ++told; });
  EXPECT_TRUE(work.take_page());
  work.give_back_page();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(work.has_pages());
}

TEST(OpenWorkTest, NotifiesAListenerOnItsThread) {
  async::Loop loop;
  OpenWork work(std::nullopt, false);
  std::thread::id told_on;
  const OpenWork::Listener listener(work, loop, [&] { told_on = std::this_thread::get_id(); });
  work.begin(0);
  std::thread other([&work] {
    async::Loop others;
    others.run([](OpenWork& ended) -> async::Task<void> {  // BORROWS: it, until the join below
      ended.end(0);
      co_return;
    }(work));
  });
  const async::Loop::Running running(loop);
  while (told_on == std::thread::id()) loop.step();
  EXPECT_EQ(told_on, std::this_thread::get_id());
  other.join();
}

TEST(OpenWorkTest, CountsCorrectlyFromManyThreads) {
  OpenWork work(1000, false);
  work.hold();
  std::vector<std::thread> threads;
  std::atomic<int> taken = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 1000; ++turn) {
        work.begin(0);
        if (work.take_page()) {
          if (turn % 2 == 0) {
            work.give_back_page();
          } else {
            ++taken;
            work.finish_page();
          }
        }
        work.end(0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(work.is_done());
  EXPECT_LE(taken, 1000);
  EXPECT_EQ(work.has_pages(), taken < 1000);
  work.release();
  EXPECT_TRUE(work.is_done());
}

TEST(OpenWorkHold, CannotUndoTheEnd) {
  OpenWork work(std::nullopt, false);
  EXPECT_FALSE(work.hold_unless_done());
  EXPECT_TRUE(work.is_done());
  work.begin(0);
  EXPECT_TRUE(work.hold_unless_done());
  work.end(0);
  EXPECT_FALSE(work.is_done()) << "held";
  work.release();
  EXPECT_TRUE(work.is_done());
  EXPECT_FALSE(work.hold_unless_done());
}

TEST(OpenWorkTest, PagesThatWereNotClaimedAreTakenBack) {
  OpenWork work(3, false);
  EXPECT_TRUE(work.take_page());
  EXPECT_EQ(work.take_back_pages(), 2u);
  EXPECT_FALSE(work.take_page());
  EXPECT_EQ(work.pages().in_hand, 1u);
  work.add_pages(1);
  EXPECT_TRUE(work.take_page());
}

TEST(OpenWorkTest, BeginsAtTheLowestDepthOfTheFirstTargets) {
  OpenWork work(std::nullopt, true);
  work.begin(4);
  work.begin(2);
  EXPECT_EQ(work.level(), 0) << "more may be added";
  work.begin_at_level();
  EXPECT_EQ(work.level(), 2);
  work.end(2);
  EXPECT_EQ(work.level(), 4);
}

TEST(OpenWorkHold, PreventsTheEndUntilItIsReleased) {
  OpenWork work(1, false);
  EXPECT_FALSE(work.hold_unless_done()) << "nothing is open";
  work.begin(0);
  work.begin(0);
  EXPECT_TRUE(work.hold_unless_done());
  EXPECT_TRUE(work.take_page());
  work.finish_page();
  work.end(0);
  EXPECT_FALSE(work.is_spent()) << "it is held";
  work.release();
  EXPECT_TRUE(work.is_spent());
  EXPECT_FALSE(work.is_done());
  work.end(0);
  EXPECT_TRUE(work.is_done());
}

TEST(OpenWorkHold, PreventsTheEndWithoutALimitOfPages) {
  OpenWork work(std::nullopt, false);
  work.begin(0);
  EXPECT_TRUE(work.hold_unless_done());
  work.end(0);
  EXPECT_FALSE(work.is_done());
  work.release();
  EXPECT_TRUE(work.is_done());
}

TEST(OpenWorkTest, NotifiesWhenTheLastPageOfTheLimitHasEnded) {
  sim::World world = sim::World::calm();
  OpenWork work(2, false);
  int told = 0;
  const OpenWork::Listener listener(work, world.loop(), [&told] { ++told; });
  for (int i = 0; i < 3; ++i) work.begin(0);
  EXPECT_TRUE(work.take_page());
  EXPECT_TRUE(work.take_page());
  work.end(0);
  work.finish_page();
  EXPECT_EQ(told, 0) << "one page is claimed";
  work.end(0);
  work.finish_page();
  EXPECT_EQ(told, 1);
}

TEST(OpenWorkTest, NotifiesWhenTheLimitIsRaised) {
  sim::World world = sim::World::calm();
  OpenWork work(0, false);
  int told = 0;
  const OpenWork::Listener listener(work, world.loop(), [&told] { ++told; });
  work.add_pages(0);
  EXPECT_EQ(told, 0);
  work.add_pages(1);
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(work.has_pages());
}

}  // namespace
}  // namespace gossamer::crawler

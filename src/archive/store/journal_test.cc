#include "store/journal.h"

#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <optional>
#include <string>

namespace gossamer::store {
namespace {

class JournalTest : public testing::Test {
 protected:
  void put(const std::string& key) {
    const Journal::Lock lock = journal.lock();
    journal.pending().put(Table::meta, key, "x");
  }
  bool has(const std::string& key) const { return tables.get(Table::meta, key)->has_value(); }

  SimulatedTables tables;
  Journal journal{tables, Durability::group};
};

TEST_F(JournalTest, WritesEachChangeOnce) {
  put("a");
  journal.commit();
  EXPECT_TRUE(has("a"));
  journal.commit();
  EXPECT_EQ(tables.writes(), 1u) << "nothing is new";
  EXPECT_EQ(tables.unsynced(), 1u) << "with group durability, the caller syncs";
}

TEST_F(JournalTest, SyncsEveryCommitIfItIsStrict) {
  Journal strict(tables, Durability::strict);
  {
    const Journal::Lock lock = strict.lock();
    strict.pending().put(Table::meta, "a", "x");
  }
  strict.commit();
  EXPECT_EQ(tables.unsynced(), 0u);
}

TEST_F(JournalTest, IsDirtyFromAWriteToTheNextSync) {
  EXPECT_FALSE(journal.is_dirty());
  journal.commit();
  EXPECT_FALSE(journal.is_dirty()) << "nothing was written";
  put("a");
  journal.commit();
  EXPECT_TRUE(journal.is_dirty());
  journal.begin_sync();
  EXPECT_FALSE(journal.is_dirty());
}

TEST_F(JournalTest, KeepsTheChangesThatAFullDiskDoesNotTake) {
  int told = 0;
  journal.on_trouble([&told] { ++told; });
  tables.set_full(true);
  put("a");
  journal.commit();
  ASSERT_TRUE(journal.trouble());
  EXPECT_EQ(*journal.trouble(), Errc::no_space);
  EXPECT_FALSE(journal.is_dirty());
  put("b");
  journal.commit();
  EXPECT_EQ(tables.writes(), 1u) << "it does not try again by itself";
  EXPECT_FALSE(journal.try_again());
  EXPECT_EQ(tables.writes(), 2u);
  EXPECT_EQ(told, 1) << "once, whatever try_again() finds";
  tables.set_full(false);
  EXPECT_TRUE(journal.try_again());
  EXPECT_FALSE(journal.trouble());
  EXPECT_TRUE(has("a"));
  EXPECT_TRUE(has("b"));
  tables.set_full(true);
  put("c");
  journal.commit();
  EXPECT_EQ(told, 2) << "the disk is full again";
}

TEST_F(JournalTest, WritesNothingAfterAPermanentFailure) {
  tables.fail_write(1, Errc::io_failed);
  put("a");
  journal.commit();
  EXPECT_EQ(*journal.trouble(), Errc::io_failed);
  EXPECT_FALSE(journal.try_again());
  tables.reopen();
  journal.commit();
  EXPECT_FALSE(journal.try_again());
  EXPECT_FALSE(has("a"));
}

TEST_F(JournalTest, APermanentFailureReplacesAFullDiskAndNotTheOtherWayRound) {
  int told = 0;
  journal.on_trouble([&told] { ++told; });
  journal.fail_with(Error(Errc::no_space, "full"));
  journal.fail_with(Error(Errc::io_failed, "broken"));
  journal.fail_with(Error(Errc::no_space, "full"));
  EXPECT_EQ(*journal.trouble(), Errc::io_failed);
  EXPECT_EQ(told, 3);
  EXPECT_FALSE(journal.try_again());
}

TEST_F(JournalTest, TriesAgainWithoutTrouble) {
  put("a");
  EXPECT_TRUE(journal.try_again());
  EXPECT_FALSE(has("a")) << "commit() writes it";
}

}  // namespace
}  // namespace gossamer::store

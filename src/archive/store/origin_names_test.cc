#include "store/origin_names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/packing.h"
#include "store/journal.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

class OriginNamesTest : public testing::Test {
 protected:
  static std::string name(std::uint32_t id) { return fmt::format("https://h{}.example", id); }

  // Stores origins as earlier versions did: without the rows that name_of() reads. The rows of
  // other kinds surround them.
  void store_old(std::uint32_t count) {
    Batch batch;
    for (std::uint32_t id = 1; id <= count; ++id) {
      Packer row;
      row.number(id);
      batch.put(Table::origins, origin_key(OriginRow::id, name(id)), std::move(row).take());
    }
    for (int i = 0; i < 100; ++i) {
      const std::string host = fmt::format("h{}.example", i);
      batch.put(Table::origins, origin_key(OriginRow::host, host), "");
      batch.put(Table::origins, "k" + host, "");
      batch.put(Table::origins, origin_key(OriginRow::rules, host), "");
    }
    ASSERT_TRUE(tables_.write(batch));
  }

  SimulatedTables tables_;
  Journal journal_{tables_, Durability::group};
  const Journal::Lock lock_ = journal_.lock();
  OriginNames names_{journal_};
};

TEST_F(OriginNamesTest, OfEarlierVersionsAreAllWritten) {
  store_old(5000);
  ASSERT_TRUE(names_.take_over());
  for (const std::uint32_t id : {1U, 2500U, 4096U, 4097U, 5000U}) {
    EXPECT_EQ(names_.name_of(id), name(id));
  }
  EXPECT_EQ(tables_.writes(), 1U + 2U) << "in batches of 4096";
  EXPECT_EQ(names_.id_of("https://new.example"), 5001U);
}

TEST_F(OriginNamesTest, OfEarlierVersionsAreWrittenInFullBatches) {
  store_old(4096);
  ASSERT_TRUE(names_.take_over());
  EXPECT_EQ(tables_.writes(), 1U + 1U) << "an empty batch is not written";
}

TEST_F(OriginNamesTest, AreWrittenOnce) {
  store_old(3);
  ASSERT_TRUE(names_.take_over());
  EXPECT_EQ(tables_.writes(), 2U);
  ASSERT_TRUE(OriginNames(journal_).take_over());
  EXPECT_EQ(tables_.writes(), 2U) << "they are all there";
}

TEST_F(OriginNamesTest, AreFoundWithoutTheRowsOfOtherKinds) {
  store_old(3);
  ASSERT_TRUE(names_.take_over());
  // All three scans read the three origins or names, and the row after them.
  EXPECT_EQ(tables_.rows_read(Table::origins), (3U + 1U) + (0U + 1U) + (3U + 1U));
  ASSERT_TRUE(OriginNames(journal_).take_over());
  EXPECT_EQ(tables_.rows_read(Table::origins), 9U + (3U + 1U) + (3U + 1U));
}

TEST_F(OriginNamesTest, FailIfABatchCannotBeWritten) {
  store_old(5000);
  tables_.fail_write(1, Errc::io_failed);
  EXPECT_FALSE(names_.take_over());
  EXPECT_EQ(tables_.writes(), 2U) << "the next batch was not tried";
}

TEST_F(OriginNamesTest, AreEmptyIfThereIsNoSuchOrigin) {
  store_old(1);
  ASSERT_TRUE(names_.take_over());
  EXPECT_EQ(names_.name_of(2), "");
  EXPECT_FALSE(journal_.trouble());
}

TEST_F(OriginNamesTest, EndTheCrawlIfTheyCannotBeRead) {
  store_old(1);
  ASSERT_TRUE(names_.take_over());
  tables_.fail_reads(Table::origins);
  EXPECT_EQ(names_.name_of(1), "");
  ASSERT_TRUE(journal_.trouble()) << "a guessed name would lose its targets";
  EXPECT_EQ(*journal_.trouble(), Errc::io_failed);
  EXPECT_FALSE(OriginNames(journal_).take_over());
}

}  // namespace
}  // namespace gossamer::store

#include "index/page_lengths.h"

#include <gtest/gtest.h>

namespace gossamer::index {
namespace {

class PageLengthsTest : public testing::Test {
 protected:
  PageLengthsTest()
      : database_(*store::Database::open(":memory:", store::Database::Access::write)) {
    EXPECT_TRUE(
        database_.execute("CREATE TABLE length(block INTEGER PRIMARY KEY, words BLOB NOT NULL)"));
  }

  store::Database database_;
  PageLengths lengths_;
};

TEST_F(PageLengthsTest, SeesWhatWasAddedSince) {
  ASSERT_TRUE(add_lengths(database_, {{1, 7}, {3, 300}}));
  ASSERT_TRUE(lengths_.update(database_));
  EXPECT_EQ(lengths_.of(1), 7U);
  EXPECT_EQ(lengths_.of(2), 0U);
  EXPECT_EQ(lengths_.of(3), 300U);
  // The block of the last page, the next one, and one after a gap.
  ASSERT_TRUE(add_lengths(database_, {{4, 5}, {1023, 1}, {1024, 2}, {9000, 100'000}}));
  EXPECT_EQ(lengths_.of(4), 0U);
  ASSERT_TRUE(lengths_.update(database_));
  EXPECT_EQ(lengths_.of(1), 7U);
  EXPECT_EQ(lengths_.of(4), 5U);
  EXPECT_EQ(lengths_.of(1023), 1U);
  EXPECT_EQ(lengths_.of(1024), 2U);
  EXPECT_EQ(lengths_.of(5000), 0U);
  EXPECT_EQ(lengths_.of(9000), PageLengths::kWordsMax);
  EXPECT_EQ(lengths_.of(-1), 0U);
  EXPECT_EQ(lengths_.of(90'000), 0U);
  EXPECT_EQ(lengths_.pages(), 6U);
  EXPECT_EQ(lengths_.words(), 7 + 300 + 5 + 1 + 2 + PageLengths::kWordsMax);
}

TEST_F(PageLengthsTest, RefusesDamagedBlocks) {
  ASSERT_TRUE(database_.execute("INSERT INTO length VALUES(0, x'0102')"));
  EXPECT_EQ(lengths_.update(database_).error(), Errc::malformed);
  ASSERT_TRUE(database_.execute("UPDATE length SET block = 9000000000, words = zeroblob(2048)"));
  EXPECT_EQ(lengths_.update(database_).error(), Errc::malformed);
}

}  // namespace
}  // namespace gossamer::index

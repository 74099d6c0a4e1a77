#include "store/row_position.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/support/temporary_folder.h"

namespace gossamer::store {
namespace {

class RowPositionFileTest : public testing::Test {
 protected:
  std::uint64_t expected() { return expected_position(*opened_, "position"); }

  tests::TemporaryFolder folder_;
  Result<Folder> opened_ = Folder::open(folder_.path());
};

// The second writer may have opened it while the first one was closing.
TEST_F(RowPositionFileTest, TheLastWriterRemovesIt) {
  ASSERT_TRUE(opened_);
  std::optional<RowPositionFile> first(std::in_place, *opened_, "position", 3);
  RowPositionFile second(*opened_, "position", 4);
  EXPECT_FALSE(first->remove(*opened_, "position"));
  first.reset();
  EXPECT_EQ(expected(), 4U);
  second.note_written(5);
  EXPECT_EQ(expected(), 5U);
  EXPECT_TRUE(second.remove(*opened_, "position"));
  EXPECT_EQ(expected(), 0U);
  second.note_written(6);
  EXPECT_EQ(expected(), 0U);
}

TEST_F(RowPositionFileTest, AWriterLeavesTheFileOfALaterOne) {
  RowPositionFile first(*opened_, "position", 3);
  ASSERT_TRUE(opened_->remove("position"));
  RowPositionFile second(*opened_, "position", 4);
  EXPECT_FALSE(first.remove(*opened_, "position"));
  EXPECT_EQ(expected(), 4U);
}

}  // namespace
}  // namespace gossamer::store

#include "report/top_list.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::report {
namespace {

TEST(TopListTest, KeepsTheLargestAndCountsAll) {
  TopList<std::string> list(3);
  for (int i = 0; i < 100; ++i) {
    const auto key = static_cast<std::uint64_t>(i * 37 % 100);
    list.add(key, std::to_string(key));
  }
  list.count();
  const Listing<std::string> listing = std::move(list).finish();
  EXPECT_EQ(listing.rows, (std::vector<std::string>{"99", "98", "97"}));
  EXPECT_EQ(listing.total, 101u);
  EXPECT_TRUE(listing.is_cut());
}

TEST(TopListTest, PrefersOfEqualOnesThoseThatCameFirst) {
  TopList<std::string> list(2);
  EXPECT_TRUE(list.wants(0));
  list.add(5, "first");
  list.add(5, "second");
  EXPECT_FALSE(list.wants(5));
  EXPECT_TRUE(list.wants(6));
  list.add(5, "third");
  list.add(7, "best");
  EXPECT_EQ(std::move(list).finish().rows, (std::vector<std::string>{"best", "first"}));
}

}  // namespace
}  // namespace gossamer::report

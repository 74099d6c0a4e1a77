#include "crawl/skip_reason.h"

#include <gtest/gtest.h>

#include <set>

namespace gossamer::crawl {
namespace {

TEST(SkipReason, EveryReasonHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kSkipReasons; ++i) names.insert(name(static_cast<SkipReason>(i)));
  EXPECT_EQ(names.size(), kSkipReasons);
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace gossamer::crawl

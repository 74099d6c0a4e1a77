#include "record/skip_reason.h"

#include <gtest/gtest.h>

#include <set>

namespace gossamer::crawler {
namespace {

TEST(SkipReason, EveryReasonHasAUniqueName) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kSkipReasons; ++i) names.insert(name(static_cast<SkipReason>(i)));
  EXPECT_EQ(names.size(), kSkipReasons);
  EXPECT_FALSE(names.contains(""));
}

TEST(SkipReason, EveryReasonHasAUniqueDescription) {
  std::set<std::string_view> texts;
  for (std::size_t i = 0; i < kSkipReasons; ++i) texts.insert(describe(static_cast<SkipReason>(i)));
  EXPECT_EQ(texts.size(), kSkipReasons);
  EXPECT_FALSE(texts.contains(""));
}

}  // namespace
}  // namespace gossamer::crawler

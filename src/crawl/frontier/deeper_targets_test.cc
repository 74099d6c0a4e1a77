#include "frontier/deeper_targets.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gossamer::crawler {
namespace {

const std::string kDeep = "http://a.example/deep";

Target target_at(std::uint16_t depth) {
  Target target;
  target.url = kDeep;
  target.depth = depth;
  return target;
}

TEST(DeeperTargets, ATargetFoundAtALowerDepthIsStaleOnce) {
  DeeperTargets deeper;
  deeper.add(7, *url::Url::parse(kDeep + "#part"), 3);
  EXPECT_FALSE(deeper.comes_nearer(7, 3));
  EXPECT_FALSE(deeper.comes_nearer(8, 1));
  ASSERT_TRUE(deeper.comes_nearer(7, 2));
  deeper.bring_nearer(7);
  EXPECT_FALSE(deeper.comes_nearer(7, 1)) << "it waits at no later level any more";
  EXPECT_FALSE(deeper.take_stale(target_at(2)));
  EXPECT_TRUE(deeper.take_stale(target_at(3)));
  EXPECT_FALSE(deeper.take_stale(target_at(3)));
}

TEST(DeeperTargets, ATargetOfTheCurrentLevelIsNeverStale) {
  DeeperTargets deeper;
  deeper.add(7, *url::Url::parse(kDeep), 3);
  deeper.reach(2);
  EXPECT_TRUE(deeper.comes_nearer(7, 2));
  deeper.reach(3);
  EXPECT_FALSE(deeper.comes_nearer(7, 2));
}

TEST(DeeperTargets, ATargetStoredTwiceIsStaleAtTheGreaterDepth) {
  for (const auto& [first, second] : {std::pair(2, 5), std::pair(5, 2)}) {
    DeeperTargets deeper;
    deeper.recall(7, target_at(static_cast<std::uint16_t>(first)));
    deeper.recall(7, target_at(static_cast<std::uint16_t>(second)));
    EXPECT_TRUE(deeper.comes_nearer(7, 1));
    EXPECT_FALSE(deeper.comes_nearer(7, 2));
    EXPECT_FALSE(deeper.take_stale(target_at(2)));
    EXPECT_TRUE(deeper.take_stale(target_at(5)));
  }
}

}  // namespace
}  // namespace gossamer::crawler

#include "scope/link_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "scope/guesses.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;

struct FixedRule {
  SkipReason reason = SkipReason::none;
  int calls = 0;

  SkipReason judge(const url::Url& /*url*/, const LinkFacts& /*facts*/) {
    ++calls;
    return reason;
  }
};

struct CountingRule {
  std::vector<std::uint64_t> recalled;

  SkipReason judge(const url::Url& /*url*/, const LinkFacts& /*facts*/) { return SkipReason::none; }
  void recall(const StoredCount& count) { recalled.push_back(count.key); }
};

TEST(LinkRulesTest, AUrlPassesAllRules) {
  FixedRule first;
  FixedRule second;
  LinkRules rules(first, second);
  EXPECT_EQ(rules.judge({}, {}), SkipReason::none);
  EXPECT_EQ(first.calls, 1);
  EXPECT_EQ(second.calls, 1);
}

TEST(LinkRulesTest, TheFirstReasonCounts) {
  FixedRule first;
  FixedRule second = {.reason = SkipReason::logout};
  FixedRule third = {.reason = SkipReason::filtered};
  LinkRules rules(first, second, third);
  EXPECT_EQ(rules.judge({}, {}), SkipReason::logout);
  EXPECT_EQ(first.calls, 1);
  EXPECT_EQ(third.calls, 0) << "a rule that counts must not count a rejected URL";
}

TEST(LinkRulesTest, OnlyRulesThatCountRecall) {
  FixedRule fixed;
  CountingRule counting;
  LinkRules rules(fixed, counting);
  rules.recall({.what = Counted::dates, .count = 1, .key = 7});
  EXPECT_THAT(counting.recalled, ElementsAre(7));
  EXPECT_EQ(fixed.calls, 0);
}

TEST(GuessesTest, AreMereGuessesUntilAPageLinksToThem) {
  Guesses guesses(1);
  EXPECT_FALSE(guesses.mark_linked(5)) << "it is not a guess";
  guesses.add(5);
  EXPECT_TRUE(guesses.is_mere(5));
  EXPECT_FALSE(guesses.has_links());
  EXPECT_TRUE(guesses.mark_linked(5));
  EXPECT_FALSE(guesses.mark_linked(5)) << "it was marked before";
  EXPECT_FALSE(guesses.is_mere(5));
  EXPECT_TRUE(guesses.is_linked(5));
  EXPECT_TRUE(guesses.has_links());
}

TEST(GuessesTest, AreRestored) {
  Guesses guesses(1);
  guesses.recall({.what = Counted::guesses, .count = 1, .key = 5});
  guesses.recall({.what = Counted::guesses, .count = 2, .key = 6});
  guesses.recall({.what = Counted::dates, .count = 2, .key = 7});
  EXPECT_TRUE(guesses.is_mere(5));
  EXPECT_TRUE(guesses.contains(6));
  EXPECT_TRUE(guesses.is_linked(6));
  EXPECT_FALSE(guesses.contains(7));
}

}  // namespace
}  // namespace gossamer::crawler

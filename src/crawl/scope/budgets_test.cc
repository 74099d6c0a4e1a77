#include "scope/budgets.h"

#include <gtest/gtest.h>

#include <string_view>

namespace gossamer::crawler {
namespace {

SkipReason charge(UrlBudgets& budgets, std::string_view text) {
  return budgets.judge(url::Url::parse(text).value(), {});
}

TEST(UrlBudgets, AreUnlimitedByDefault) {
  UrlBudgets budgets({});
  for (int i = 0; i < 10'000; ++i) EXPECT_EQ(charge(budgets, "http://h/"), SkipReason::none);
}

TEST(UrlBudgets, LimitTheUrlsOfAHost) {
  UrlBudgets budgets({.urls_per_host_max = 2});
  EXPECT_EQ(charge(budgets, "http://a/1"), SkipReason::none);
  EXPECT_EQ(charge(budgets, "https://a/2"), SkipReason::none);
  EXPECT_EQ(charge(budgets, "http://a/3"), SkipReason::host_budget);
  EXPECT_EQ(charge(budgets, "http://a:8080/3"), SkipReason::none) << "another port, another server";
  EXPECT_EQ(charge(budgets, "http://b/3"), SkipReason::none);
}

TEST(UrlBudgets, LimitTheVariantsOfAPath) {
  UrlBudgets budgets({.urls_per_path_max = 2});
  EXPECT_EQ(charge(budgets, "http://a/list?sort=1"), SkipReason::none);
  EXPECT_EQ(charge(budgets, "http://a/list?sort=2"), SkipReason::none);
  EXPECT_EQ(charge(budgets, "http://a/list?sort=3"), SkipReason::path_budget);
  EXPECT_EQ(charge(budgets, "http://a/list/?sort=3"), SkipReason::none);
  EXPECT_EQ(charge(budgets, "http://b/list?sort=3"), SkipReason::none);
}

TEST(UrlBudgets, AUrlOverThePathLimitDoesNotCountForTheHost) {
  UrlBudgets budgets({.urls_per_host_max = 2, .urls_per_path_max = 1});
  EXPECT_EQ(charge(budgets, "http://a/list?1"), SkipReason::none);
  EXPECT_EQ(charge(budgets, "http://a/list?2"), SkipReason::path_budget);
  EXPECT_EQ(charge(budgets, "http://a/other"), SkipReason::none);
  EXPECT_EQ(charge(budgets, "http://a/third"), SkipReason::host_budget);
}

TEST(UrlBudgets, GoOnFromWhatOthersHadCounted) {
  const BudgetOptions options = {.urls_per_host_max = 3, .urls_per_path_max = 2};
  std::vector<StoredCount> changes;
  UrlBudgets first(options);
  first.tell(changes);
  EXPECT_EQ(charge(first, "http://a/list?1"), SkipReason::none);
  EXPECT_EQ(charge(first, "http://a/list?2"), SkipReason::none);
  EXPECT_EQ(charge(first, "http://a/list?3"), SkipReason::path_budget);
  EXPECT_EQ(changes.size(), 4u) << "a rejected URL changes nothing";

  UrlBudgets second(options);
  for (const StoredCount& change : changes) second.recall(change);
  EXPECT_EQ(charge(second, "http://a/list?3"), SkipReason::path_budget);
  EXPECT_EQ(charge(second, "http://a/other"), SkipReason::none);
  EXPECT_EQ(charge(second, "http://a/third"), SkipReason::host_budget);
}

}  // namespace
}  // namespace gossamer::crawler

#pragma once

#include <vector>

#include "record/skip_reason.h"
#include "scope/count_table.h"
#include "scope/link_rule.h"
#include "scope/scope_options.h"
#include "scope/stored_count.h"
#include "url/url.h"

namespace gossamer::crawler {

// Counts fetched URLs by host and by path. Memory: about 30 bytes per host, and per path if paths
// have a budget.
class UrlBudgets {
 public:
  explicit UrlBudgets(const BudgetOptions& options) noexcept : options_(options) {}

  // Takes one from the budgets of this URL, or returns which budget is spent.
  SkipReason judge(const url::Url& url, const LinkFacts& facts);

  // From now on, appends every changed count to this vector. BORROWS: the vector.
  void tell(std::vector<StoredCount>& changes) noexcept { changes_ = &changes; }
  // Restores counts of an earlier process; ignores counts of other guards.
  void recall(const StoredCount& kept);

 private:
  void count(Counted what, CountTable& table, std::uint64_t key);

  BudgetOptions options_;
  CountTable hosts_;
  CountTable paths_;
  std::vector<StoredCount>* changes_ = nullptr;  // nullptr: none
};

}  // namespace gossamer::crawler

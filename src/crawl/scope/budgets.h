#pragma once

#include <vector>

#include "crawl/frontier/count_table.h"
#include "crawl/frontier/stored_count.h"
#include "crawl/scope/scope_options.h"
#include "crawl/scope/skip_reason.h"
#include "url/url.h"

namespace gossamer::crawler {

// Counts the URLs that are asked for, by host and by path. Memory: some 30 bytes per host, and per
// path if paths have a budget.
class UrlBudgets {
 public:
  explicit UrlBudgets(const BudgetOptions& options) noexcept : options_(options) {}

  // Takes one from the budgets of this URL; or says whose is spent, and takes nothing. To be asked
  // once per URL, as the last judge.
  SkipReason charge(const url::Url& url);

  // From now on every count that changes is appended there. BORROWS: the vector.
  void tell(std::vector<StoredCount>& changes) noexcept { changes_ = &changes; }
  // What an earlier process had counted; counts of others are left alone.
  void recall(const StoredCount& kept);

 private:
  void count(Counted what, CountTable& table, std::uint64_t key);

  BudgetOptions options_;
  CountTable hosts_;
  CountTable paths_;
  std::vector<StoredCount>* changes_ = nullptr;  // nullptr: nobody wants to know
};

}  // namespace gossamer::crawler

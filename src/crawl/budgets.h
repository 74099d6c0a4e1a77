#pragma once

#include "crawl/count_table.h"
#include "crawl/scope_options.h"
#include "crawl/skip_reason.h"
#include "url/url.h"

namespace gossamer::crawl {

// Counts the URLs that are asked for, by host and by path. Memory: some 30 bytes per host, and per
// path if paths have a budget.
class UrlBudgets {
 public:
  explicit UrlBudgets(const BudgetOptions& options) noexcept : options_(options) {}

  // Takes one from the budgets of this URL; or says whose is spent, and takes nothing. To be asked
  // once per URL, as the last judge.
  SkipReason charge(const url::Url& url);

 private:
  BudgetOptions options_;
  CountTable hosts_;
  CountTable paths_;
};

}  // namespace gossamer::crawl

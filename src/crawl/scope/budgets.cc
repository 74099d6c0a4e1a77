#include "scope/budgets.h"

#include "base/hash.h"

namespace gossamer::crawler {

SkipReason UrlBudgets::judge(const url::Url& url, const LinkFacts& facts) {
  const bool hosts = options_.urls_per_host_max != 0;
  const bool paths = options_.urls_per_path_max != 0;
  if (facts.is_unguarded() || (!hosts && !paths)) return SkipReason::none;

  const std::uint64_t host = base::hash64(url.host());
  const std::uint64_t path = base::hash64(url.pathname(), host);
  if (hosts && hosts_.count(host) >= options_.urls_per_host_max) return SkipReason::host_budget;
  if (paths && paths_.count(path) >= options_.urls_per_path_max) return SkipReason::path_budget;
  if (hosts) count(Counted::host_urls, hosts_, host);
  if (paths) count(Counted::path_urls, paths_, path);
  return SkipReason::none;
}

void UrlBudgets::count(Counted what, CountTable& table, std::uint64_t key) {
  const std::uint32_t count = ++table[key];
  if (changes_ != nullptr) changes_->push_back({.what = what, .count = count, .key = key});
}

void UrlBudgets::recall(const StoredCount& kept) {
  if (kept.what == Counted::host_urls) hosts_[kept.key] = kept.count;
  if (kept.what == Counted::path_urls) paths_[kept.key] = kept.count;
}

}  // namespace gossamer::crawler

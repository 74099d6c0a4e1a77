#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crawl/engine_events.h"
#include "crawl/frontier/frontier.h"
#include "crawl/frontier/seen_set.h"
#include "crawl/frontier/stored_count.h"
#include "crawl/frontier/target.h"
#include "crawl/options.h"
#include "crawl/page/page_link_scratch.h"
#include "crawl/page/record.h"
#include "crawl/scope/budgets.h"
#include "crawl/scope/endless_series.h"
#include "crawl/scope/scope.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/scope/traps.h"
#include "url/crawl_identity.h"

namespace gossamer::crawler {

class Shard;

// "robots.txt line 3: /private/"
std::string describe(const robots::Decision& decision);

// Decides about every URL that is found, and puts those that belong to the crawl into the frontier:
// resolved, compared with all that were seen, judged by the rules. Never waits, so nothing can
// come between the test and the mark.
class LinkIntake {
 public:
  // What becomes of a URL.
  enum class Verdict : std::uint8_t { added, seen, refused, closed };

  struct Setting {
    std::int32_t this_year = 0;  // of today
    std::uint64_t salt = 0;      // so that no site can choose URLs that make our tables slow
  };

  // With `shard`, one of several of a crawl. Without `events`, nobody is told what was skipped.
  // BORROWS: all but the setting.
  LinkIntake(const Options& options, Hooks& hooks, Frontier& frontier, Setting setting,
             EngineEvents* events = nullptr, Shard* shard = nullptr);

  // Widens the scope, and adds the root itself.
  Verdict add_root(const url::Url& root);
  // One URL. `facts` is the target without its URL. `series` is that of the URL, if the page that
  // it was found on is of the same; 0: none.
  Verdict add(const url::Url& url, const Target& facts, std::uint64_t series = 0);
  // Counts a URL that is refused for a reason of the caller's, and tells of it.
  void refuse(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
              const Target& facts, std::string detail = {});
  std::uint64_t fingerprint(const url::Url& url) { return identity_.fingerprint(url); }
  // The scope, too, follows a root to where it redirects.
  void widen(const url::Url& root);
  // As widen(), for this loop alone.
  void widen_here(const url::Url& root) { scope_.add_root(root); }
  // What limits and guards had counted in an earlier process. REQUIRES: nothing was added yet.
  void recall(std::span<const StoredCount> counts);

  // The series of numbered pages that the target belongs to, if it was found on another page of it.
  // 0: none, or endless series are not looked for.
  std::uint64_t series_key(const Target& target) const;

 private:
  friend class PageLinks;

  // REQUIRES: the URL has no credentials.
  Verdict add(const url::Url& url, std::uint64_t fingerprint, const Target& facts,
              std::uint64_t series);
  // The rest of add(), for a URL of which the scope thinks so.
  Verdict settle(const url::Url& url, std::uint64_t fingerprint, const Target& facts,
                 SkipReason reason);
  // What the scope refuses may still be a leaf: says so in `facts`, and gives what is left against
  // it.
  SkipReason judge_leaf(const url::Url& url, SkipReason reason, Target& facts);
  // What robots.txt has against it, if that is known already; empty: nothing.
  std::string forbidding_line(const url::Url& url) const;
  SkipReason judge_scope(const url::Url& url, const Target& facts);
  SkipReason judge_host(const url::Url& url, const Target& facts);
  std::uint8_t score(const url::Url& url, std::uint32_t depth);

  const Options& options_;
  Hooks& hooks_;
  Frontier& frontier_;
  EngineEvents* const events_;  // nullptr: none
  Shard* const shard_;          // among several loops; nullptr: there is only this one
  const std::int32_t this_year_;
  Scope scope_;
  Traps traps_;
  EndlessSeries series_;
  std::uint64_t series_in_hand_ = 0;  // of the URL that is being added
  UrlBudgets budgets_;
  std::vector<StoredCount> counts_;  // that the URL in hand has changed
  url::CrawlIdentity identity_;
  SeenSet refused_;
  PageLinkScratch scratch_;
};

}  // namespace gossamer::crawler

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/page/page_link_scratch.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "frontier/frontier.h"
#include "frontier/target.h"
#include "record/record.h"
#include "record/skip_reason.h"
#include "scope/budgets.h"
#include "scope/endless_series.h"
#include "scope/scope.h"
#include "scope/seen_set.h"
#include "scope/stored_count.h"
#include "scope/traps.h"
#include "url/crawl_identity.h"

namespace gossamer::crawler {

class Peers;

// "robots.txt line 3: /private/"
std::string describe(const robots::Decision& decision);

// Decides about every found URL and adds those of the crawl to the frontier. It compares a URL with
// all seen ones and applies the rules. It never waits, so nothing happens between test and mark.
class LinkIntake {
 public:
  // The decision about a URL.
  enum class Verdict : std::uint8_t { added, seen, refused, closed };

  struct Setting {
    std::int32_t this_year = 0;  // the current year
    std::uint64_t salt = 0;      // unpredictable, so that no site can make our tables slow
  };

  // With `peers`, it is one of several of a crawl. Without `events`, skipped URLs are not reported.
  // BORROWS: all but the setting.
  LinkIntake(const Options& options, Hooks& hooks, Frontier& frontier, Setting setting,
             EngineEvents* events = nullptr, Peers* peers = nullptr);

  // Widens the scope and adds the root itself.
  Verdict add_root(const url::Url& root);
  // Adds a URL. `facts` is the target without its URL. `series` is that of the URL if its page
  // belongs to the same series; 0: none.
  Verdict add(const url::Url& url, const Target& facts, std::uint64_t series = 0);
  // Adds a URL of a leased host. Its finder has applied the scope.
  Verdict add_leased(const url::Url& url, const Target& facts);
  // Returns whether add() would judge the URL by the rules of the crawl: it is new and in scope.
  bool may_add(const url::Url& url, std::uint64_t fingerprint, const Target& facts);
  // From now on add() skips this URL (SkipReason::filtered).
  void filter(std::uint64_t fingerprint) { filtered_.insert(fingerprint); }
  // Counts and reports a URL that the caller skips.
  void refuse(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
              const Target& facts, std::string detail = {});
  std::uint64_t fingerprint(const url::Url& url) { return identity_.fingerprint(url); }
  // Adds the redirect target of a root to the scope.
  void widen(const url::Url& root);
  // Like widen(), only for this loop.
  void widen_here(const url::Url& root) { scope_.add_root(root); }
  // From now on add() skips URLs that match. Fails as Scope::exclude() does.
  Result<void> exclude(const std::string& pattern) { return scope_.exclude(pattern); }
  Result<void> unexclude(const std::string& pattern) { return scope_.unexclude(pattern); }
  // True if exclude() applies to a URL that may have been added before.
  bool is_excluded_later(const url::Url& url) const { return scope_.is_excluded_later(url); }
  // Restores the counts of limits and guards. REQUIRES: nothing was added yet.
  void recall(std::span<const StoredCount> counts);

  // True if a URL that was a guess is also a link of a page. BOUND: of the first million guesses.
  bool is_linked_guess(const url::Url& url) {
    return linked_guesses_.size() > 0 && linked_guesses_.contains(identity_.fingerprint(url));
  }

  // Returns the series of numbered pages of a target that was found on another page of the series.
  // 0: none, or the guard is off.
  std::uint64_t series_key(const Target& target) const;

 private:
  friend class PageLinks;

  // REQUIRES: the URL has no credentials.
  Verdict add(const url::Url& url, std::uint64_t fingerprint, const Target& facts,
              std::uint64_t series);
  // The rest of add(), with the verdict of the scope.
  Verdict settle(const url::Url& url, std::uint64_t fingerprint, const Target& facts,
                 SkipReason reason);
  // A URL out of scope may still be a leaf: notes that in `facts` and returns the remaining reason
  // to skip it.
  SkipReason judge_leaf(const url::Url& url, SkipReason reason, Target& facts);
  // Returns the rule of robots.txt that forbids it, if the rules are known; empty: none.
  std::string forbidding_line(const url::Url& url) const;
  // True for a guess that no other page links to.
  bool is_mere_guess(std::uint64_t fingerprint) const {
    return guesses_.size() > 0 && guesses_.contains(fingerprint) &&
           !linked_guesses_.contains(fingerprint);
  }
  // A URL was found again.
  void note_seen(const url::Url& url, std::uint64_t fingerprint, const Target& facts);
  SkipReason judge_scope(const url::Url& url, std::uint64_t fingerprint, const Target& facts);
  SkipReason judge_host(const url::Url& url, const Target& facts);
  std::uint8_t score(const url::Url& url, std::uint32_t depth);

  const Options& options_;
  Hooks& hooks_;
  Frontier& frontier_;
  EngineEvents* const events_;  // nullptr: none
  Peers* const peers_;          // nullptr: the crawl has one loop
  const std::int32_t this_year_;
  Scope scope_;
  Traps traps_;
  EndlessSeries series_;
  std::uint64_t series_in_hand_ = 0;  // of the URL that is being added
  UrlBudgets budgets_;
  std::vector<StoredCount> counts_;  // changed by the current URL
  url::CrawlIdentity identity_;
  SeenSet refused_;
  SeenSet guesses_;
  SeenSet linked_guesses_;
  SeenSet filtered_;  // by Hooks::wants_urls
  PageLinkScratch scratch_;
};

}  // namespace gossamer::crawler

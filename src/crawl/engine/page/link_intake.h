#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/page/link_rules.h"
#include "engine/page/page_link_scratch.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "frontier/frontier.h"
#include "frontier/target.h"
#include "record/record.h"
#include "record/skip_reason.h"
#include "scope/budgets.h"
#include "scope/endless_series.h"
#include "scope/guesses.h"
#include "scope/link_rule.h"
#include "scope/scope.h"
#include "scope/seen_set.h"
#include "scope/stored_count.h"
#include "scope/traps.h"
#include "url/crawl_identity.h"
#include "url/public_suffix.h"

namespace gossamer::crawler {

class Peers;

// Decides about every found URL and adds those of the crawl to the frontier. A URL is compared with
// all seen ones. A new one passes the rules of its finder; then, on the loop that owns its host,
// those of the owner. The intake never waits, so nothing happens between test and mark.
class LinkIntake {
 public:
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
  void filter(std::uint64_t fingerprint) { filter_.reject(fingerprint); }
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
    return guesses_.has_links() && guesses_.is_linked(identity_.fingerprint(url));
  }

  // Returns the series of numbered pages of a target that was found on another page of the series.
  // 0: none, or the guard is off.
  std::uint64_t series_key(const Target& target) const;

 private:
  friend class PageLinks;

  // REQUIRES: the URL has no credentials.
  Verdict add(const url::Url& url, const Target& facts, LinkFacts link);
  // Adds a URL that passed the rules of its finder.
  Verdict accept(const url::Url& url, const Target& facts, const LinkFacts& link);
  Verdict refuse_link(const url::Url& url, const Target& facts, const LinkFacts& link,
                      SkipReason reason);
  LinkFacts link_facts(const Target& facts, std::uint64_t fingerprint, std::uint64_t series) const;
  // A URL out of scope may still be a leaf: marks it in `facts` and returns the remaining reason
  // to skip it.
  SkipReason judge_leaf(const url::Url& url, SkipReason reason, Target& facts);
  // A URL was found again.
  void note_seen(const url::Url& url, std::uint64_t fingerprint, const Target& facts);
  std::uint8_t score(const url::Url& url, std::uint32_t depth);

  const Options& options_;
  Hooks& hooks_;
  Frontier& frontier_;
  EngineEvents* const events_;  // nullptr: none
  Peers* const peers_;          // nullptr: the crawl has one loop
  const Setting setting_;
  Scope scope_{options_.scope, url::PublicSuffixList::built_in(), options_.hosts};
  LogoutRule logout_{options_.avoids_logout};
  FilterRule filter_{hooks_, setting_.salt};
  LinkRules<Scope, LogoutRule, FilterRule> rules_of_finder_{scope_, logout_, filter_};
  // Checks that count URLs of a host belong to the loop of that host.
  RobotsRule robots_{options_, frontier_};
  Traps traps_{options_.traps, setting_.this_year};
  UrlBudgets budgets_{options_.budgets};
  EndlessSeries series_{options_.traps};
  NewHostRule new_hosts_{frontier_, traps_};
  LinkRules<RobotsRule, Traps, UrlBudgets, EndlessSeries, NewHostRule> rules_of_owner_{
      robots_, traps_, budgets_, series_, new_hosts_};
  std::vector<StoredCount> counts_;  // changed by the current URL
  url::CrawlIdentity identity_{options_.identity};
  SeenSet refused_{setting_.salt};
  Guesses guesses_{setting_.salt};
  PageLinkScratch scratch_{setting_.salt};
};

}  // namespace gossamer::crawler

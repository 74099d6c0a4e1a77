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
#include "crawl/frontier/kept_count.h"
#include "crawl/frontier/seen_set.h"
#include "crawl/frontier/target.h"
#include "crawl/options.h"
#include "crawl/page/link_memo.h"
#include "crawl/page/page_reading.h"
#include "crawl/page/record.h"
#include "crawl/scope/budgets.h"
#include "crawl/scope/endless_series.h"
#include "crawl/scope/scope.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/scope/traps.h"
#include "html/encoding/encoder.h"
#include "url/crawl_identity.h"

namespace gossamer::crawler {

class Shard;

// "robots.txt line 3: /private/"
std::string describe(const robots::Decision& decision);

// A set of the fingerprints of one page, used for one page after another.
class PageSet {
 public:
  // `salt` makes the places of fingerprints unlike those of any other crawl.
  explicit PageSet(std::uint64_t salt) noexcept : multiplier_(salt | 1) {}
  void begin(std::size_t items_max);
  // True if it is new. BOUND: `items_max` of them.
  bool insert(std::uint64_t fingerprint);

 private:
  std::uint64_t multiplier_;
  std::vector<std::uint64_t> slots_;
  std::size_t mask_ = 0;
};

// Decides about every URL that is found, and puts those that belong to the crawl into the frontier:
// resolved, compared with all that were seen, judged by the rules. Never waits, so nothing can
// come between the test and the mark.
class LinkIntake {
 public:
  // What becomes of a URL.
  enum class Verdict : std::uint8_t { added, seen, refused, closed };
  struct Counts {
    std::uint32_t found = 0;  // distinct, and of the crawl
    std::uint32_t fresh = 0;  // of these, met for the first time
  };

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
  // One URL. `facts` is the target without its URL.
  Verdict add(const url::Url& url, const Target& facts);
  // Counts a URL that is refused for a reason of the caller's, and tells of it.
  void refuse(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
              const Target& facts, std::string detail = {});
  std::uint64_t fingerprint(const url::Url& url) { return identity_.fingerprint(url); }
  // The scope, too, follows a root to where it redirects.
  void widen(const url::Url& root);
  // As widen(), for this loop alone.
  void widen_here(const url::Url& root) { scope_.add_root(root); }
  // What limits and guards had counted in an earlier process. REQUIRES: nothing was added yet.
  void recall(std::span<const KeptCount> counts);

  // It is a numbered page, found on another one of its series: its content counts
  // (PageReading::keep_content_digest()).
  bool is_in_series(const Target& target) const { return series_key(target) != 0; }

  // All links of a page on their way into the crawl. `from` is what the page was fetched as. With
  // `refused` none of them is followed, for that reason. BORROWS: the page, its URL and `from`.
  class PageLinks;
  PageLinks begin_links(const PageReading& page, const url::Url& url, const Target& from,
                        std::optional<SkipReason> refused);
  // BOUND: the links of one step, about so much: each counts its bytes, those of the base, and
  // kLinkWork. A page may have tens of thousands, and other work must have its turn in between.
  static constexpr std::size_t kStepWork = 512 * 1024;
  static constexpr std::size_t kLinkWork = 128;
  // Adds those of one step. True: that was all. Links of other pages may be added between two
  // steps.
  bool add_some(PageLinks& links);

 private:
  struct NotFollowed {
    std::size_t link;  // its number; the URLs themselves may be more than the page
    std::uint64_t fingerprint;
    SkipReason reason;
  };

  // Links to pages of the series that the page itself belongs to wait until it is known whether the
  // page adds anything else.
  bool is_of_series(const PageLinks& links) const;
  void end_series(PageLinks& links);
  void add_held_back(PageLinks& links, std::size_t link);
  // link_, with what it means for the counts of the page.
  Verdict add_counted(PageLinks& links, std::uint64_t fingerprint, bool is_of_series);
  // The link whose turn it is.
  void add_link(PageLinks& links);
  void refuse_link(PageLinks& links, const NotFollowed& link);
  // link_ becomes the URL of a link. False: it is not one.
  bool resolve(PageLinks& links, std::string_view link);
  std::uint64_t fingerprint_of_link();
  bool is_wanted(const html::Link& link, const Target& from) const;
  // What is said against following it. `refused` is what is said against all links of the page.
  std::optional<SkipReason> objection(const html::LinkList::Entry& entry,
                                      std::optional<SkipReason> refused) const;
  // Tells the hook of link_. REQUIRES: there is one.
  void show_link(const PageReading& page, const url::Url& url, std::uint64_t fingerprint,
                 bool is_followed);
  Verdict add(const url::Url& url, std::uint64_t fingerprint, const Target& facts);
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
  // 0: it is in none, or nobody wants to know.
  std::uint64_t series_key(const Target& target) const;
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
  std::uint64_t series_in_hand_ = 0;  // of the link that is being added
  UrlBudgets budgets_;
  std::vector<KeptCount> counts_;  // that the URL in hand has changed
  url::CrawlIdentity identity_;
  const std::uint64_t salt_;
  SeenSet refused_;
  PageSet spare_set_;  // that the next page may have
  LinkMemo memo_;
  url::Url link_;  // for one after the other
};

class LinkIntake::PageLinks {
 public:
  const Counts& counts() const noexcept { return counts_; }

 private:
  friend class LinkIntake;
  PageLinks(const PageReading& page, const url::Url& url, const Target& from, url::Url base,
            PageSet set);

  const PageReading& page_;
  const url::Url& url_;
  const Target& from_;
  const url::Url base_;
  std::optional<html::Encoder> encoder_;
  std::optional<SkipReason> refused_;  // for what reason none is followed
  Target facts_;                       // of the link whose turn it is
  const Purpose purpose_;              // of all that are not parts of the page
  PageSet on_page_;
  std::size_t next_ = 0;  // link of the page
  std::size_t end_ = 0;
  std::vector<NotFollowed> not_followed_;
  std::size_t next_not_followed_ = 0;
  std::uint64_t series_ = 0;            // that the page belongs to; 0: none
  std::uint64_t images_ = 0;            // what it shows and we do not fetch
  bool has_news_ = false;               // a new URL of no page of the series
  std::vector<std::size_t> held_back_;  // links to pages of it
  std::size_t next_held_back_ = 0;
  bool has_ended_series_ = false;
  Counts counts_;
};

}  // namespace gossamer::crawler

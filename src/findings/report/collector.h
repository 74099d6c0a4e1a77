#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/setup/options.h"
#include "record/record.h"
#include "report/audit.h"
#include "report/link_graph.h"
#include "report/redirect_ways.h"
#include "report/report.h"

namespace gossamer::report {

// Receives everything that a crawl reports, and makes a report of it.
//
// BOUND: lists are truncated, and the rest is counted. Whatever the size of the crawl, it holds
// about as much memory as it is given, plus some megabytes for the lists below.
class Collector {
 public:
  static constexpr std::size_t kPagesListed = 50;     // slowest, largest, deepest
  static constexpr std::size_t kBrokenListed = 1000;  // the first ones
  static constexpr std::size_t kChainsListed = 500;
  static constexpr std::size_t kChainUrlsListed = 30;    // the first ones and the last
  static constexpr std::size_t kDuplicatesListed = 500;  // bodies; and texts
  static constexpr std::size_t kDuplicatesKept = 20'000;
  static constexpr std::size_t kOrphansListed = 500;
  static constexpr std::size_t kHostsListed = 100;
  static constexpr std::size_t kHostsKept = 20'000;
  static constexpr std::size_t kExamples = 10;  // skipped URLs, per reason
  static constexpr std::size_t kCopiesListed = 5;
  static constexpr std::size_t kAuditListed = 100;  // faults, per rule
  static constexpr std::size_t kLanguages = 100;
  static constexpr std::size_t kDepths = 200;
  static constexpr std::size_t kTextBytesMax = 500;  // of titles and details

  static constexpr std::size_t kMemoryBytes = 128 * 1024 * 1024;

  // `rules` and `salt` are those of LinkGraph.
  Collector(const url::IdentityRules& rules, std::uint64_t salt, WallTime started,
            std::size_t memory_bytes = kMemoryBytes);

  void add(const crawler::FetchRecord& record);
  void skip(const crawler::SkippedUrl& skipped);
  void see_link(const crawler::FoundLink& link);

  LinkGraph& graph() { return graph_; }
  // Calls `use` for each fault of the site audit until it returns false. The report has only the
  // first ones of each kind.
  void for_each_fault(std::move_only_function<bool(const AuditFinding&)> use) const {
    audit_.for_each(graph_, std::move(use));
  }

  // Ends the collection. `totals` are the counters of the crawl.
  Report finish(Occasion occasion, const crawler::Statistics& totals) &&;

 private:
  struct Broken {
    LinkGraph::Id id;
    BrokenRow row;
  };
  // Pages that are copies of others.
  struct Copies {
    std::unordered_map<std::string, DuplicateRow> groups;  // by the first URL
    std::uint64_t left_out = 0;
  };
  struct Skipped {
    std::uint64_t count = 0;
    std::vector<SkippedRow::Example> examples;
  };

  // Returns false if no memory is left.
  bool take_room(std::size_t bytes);
  LinkGraph::Id note_place(const crawler::FetchRecord& record);
  void note_failure(const crawler::FetchRecord& record, LinkGraph::Id id);
  void note_host(const crawler::FetchRecord& record);
  void note_copy(Copies& copies, const std::string& first, const crawler::FetchRecord& record);
  void note_page(const crawler::FetchRecord& record);
  std::vector<std::string> referrers_of(LinkGraph::Id id) const;
  // Pages whose redirects lead into a loop, by the page of the loop that they reach.
  using LoopStarts = std::unordered_map<LinkGraph::Id, LinkGraph::Id>;
  LoopStarts find_loop_starts() const;
  LinkGraph::Id most_linked_of_loop(LinkGraph::Id last, const LoopStarts& starts) const;
  Listing<BrokenRow> list_broken();
  Listing<ChainRow> list_chains() const;
  ChainRow chain_from(LinkGraph::Id first, const RedirectWays::Way& way) const;
  static Listing<DuplicateRow> list_copies(Copies& copies);
  Listing<HostRow> list_hosts();
  Listing<PageRow> list_orphans() const;
  void note_language(const crawler::FetchRecord& record);
  std::vector<AuditRow> list_audit() const;
  std::vector<SkippedRow> list_skipped(const crawler::Statistics& totals);

  const WallTime started_;
  std::size_t text_bytes_left_;  // for the URLs of hosts and duplicates
  LinkGraph graph_;
  std::string page_url_;  // the page whose links are being reported
  LinkGraph::Id page_ = LinkGraph::kNone;
  url::Url scratch_;

  TakenTimes times_;
  OverTime over_time_;
  std::vector<std::uint64_t> depths_;
  std::unordered_map<std::string, HostRow> hosts_;
  HostRow other_hosts_;  // all of them together
  std::map<std::string, CauseRow, std::less<>> causes_;
  std::vector<Broken> broken_;
  std::uint64_t broken_total_ = 0;
  Copies duplicates_;
  Copies similar_;
  TopList<PageRow> slowest_{kPagesListed};
  TopList<PageRow> largest_{kPagesListed};
  TopList<PageRow> deepest_{kPagesListed};
  std::array<Skipped, crawler::kSkipReasons> skipped_ = {};
  Audit audit_;
  std::map<std::string, std::uint64_t, std::less<>> languages_;
};

// Returns whether a record is an error, which the site's owner should fix: crawler::Outcome::error.
bool is_broken(const crawler::FetchRecord& record);

}  // namespace gossamer::report

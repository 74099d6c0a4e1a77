// What a crawl found, as a value: everything that a report shows, and nothing about how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/statistics.h"
#include "report/time_counts.h"
#include "report/top_list.h"

namespace gossamer::report {

// A page in the lists of the slowest, the largest, the deepest.
struct PageRow {
  std::string url;
  std::string title;
  std::optional<int> status;
  std::string mime;
  std::uint64_t bytes = 0;
  Duration took = Duration::zero();
  std::uint32_t depth = 0;
};

// A URL that was asked for in vain: an answer of 400 or above, or an error.
struct BrokenRow {
  std::string url;
  std::optional<int> status;
  std::string error;  // empty: none
  std::string detail;
  std::uint32_t tries = 1;
  std::uint32_t depth = 0;
  std::string via;                     // where it was found first, or what redirected to it
  std::uint64_t links = 0;             // pages that link to it
  std::vector<std::string> referrers;  // the first of these
};

// What all failures of one kind have in common: "404", "timed_out".
struct CauseRow {
  std::string cause;
  std::optional<int> status;  // if that is the cause
  std::uint64_t count = 0;
  std::string example;  // a URL
  std::string detail;
};

// Redirects that follow one another.
struct ChainRow {
  std::vector<std::string> urls;  // from the first to where they end
  std::uint64_t left_out = 0;     // URLs before the last of these that are not listed
  std::uint16_t status = 0;       // of the last; 0: it was not fetched, or nothing came
  bool is_circle = false;         // the last redirects to one before it
  std::uint64_t links = 0;        // pages that link to the first
  std::vector<std::string> referrers;

  std::uint64_t hops() const { return urls.size() - 1 + left_out; }
};

// Pages of one and the same body.
struct DuplicateRow {
  std::string url;  // that had it first
  std::uint64_t copies = 0;
  std::uint64_t bytes = 0;            // of one
  std::vector<std::string> examples;  // of copies
};

struct SkippedRow {
  struct Example {
    std::string url;
    std::string via;
    std::string detail;
  };
  crawler::SkipReason reason = crawler::SkipReason::none;
  std::uint64_t count = 0;
  std::vector<Example> examples;
};

struct HostRow {
  std::string host;  // with its port
  std::uint64_t pages = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
  Duration took = Duration::zero();  // of all its answers together
  std::uint64_t answered = 0;

  Duration mean() const {
    return answered == 0 ? Duration::zero() : took / static_cast<std::int64_t>(answered);
  }
};

// Which crawl it was.
struct Occasion {
  std::vector<std::string> roots;
  std::string version;  // of the program
  WallTime started = {};
  Duration took = Duration::zero();
  crawler::EndReason end = crawler::EndReason::finished;
};

struct Report {
  Occasion occasion;
  crawler::Statistics totals;
  TakenTimes times;  // of answers
  OverTime over_time;
  std::vector<std::uint64_t> depths;  // pages by depth; the last one holds what is deeper, too
  Listing<HostRow> hosts;             // most pages first; those that are told apart
  std::uint64_t pages_of_other_hosts = 0;
  std::vector<CauseRow> causes;      // most frequent first
  Listing<BrokenRow> broken;         // most linked first
  Listing<ChainRow> chains;          // longest first
  Listing<DuplicateRow> duplicates;  // most copies first; those that are told apart
  std::uint64_t copies_of_others = 0;
  Listing<PageRow> slowest;
  Listing<PageRow> largest;
  Listing<PageRow> deepest;
  Listing<PageRow> orphans;          // listed by a sitemap, linked from nowhere
  std::vector<SkippedRow> skipped;   // most frequent first
  std::uint64_t urls_forgotten = 0;  // for which there was no room: links may be missing
};

}  // namespace gossamer::report

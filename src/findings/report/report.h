// The results of a crawl as a value: everything that a report shows, and nothing about how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "record/skip_reason.h"
#include "record/statistics.h"
#include "report/audit.h"
#include "report/audit_rules.h"
#include "report/page_templates.h"
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

// A URL that failed: a status of 400 or above, or an error.
struct BrokenRow {
  std::string url;
  std::optional<int> status;
  std::string error;  // empty if there was none
  std::string detail;
  std::uint32_t tries = 1;
  std::uint32_t depth = 0;
  std::string via;          // the page where it was found first, or that redirected to it
  std::uint64_t links = 0;  // pages that link to it
  std::vector<std::string> referrers;  // the first of these
};

// All failures with the same cause: "404", "timed_out".
struct CauseRow {
  std::string cause;
  std::optional<int> status;  // if that is the cause
  std::uint64_t count = 0;
  std::string example;  // a URL
  std::string detail;
};

// Consecutive redirects.
struct ChainRow {
  std::vector<std::string> urls;  // from the first to the last
  std::uint64_t left_out = 0;     // URLs before the last one that are not listed
  std::uint16_t status = 0;       // of the last; 0: it was not fetched, or gave no response
  bool is_circle = false;         // the last redirects to one before it
  std::uint64_t links = 0;        // pages that link to the first
  std::vector<std::string> referrers;

  std::uint64_t hops() const { return urls.size() - 1 + left_out; }
};

// Pages with the same body, or with nearly the same text.
struct DuplicateRow {
  std::string url;  // the first one
  std::uint64_t copies = 0;
  std::uint64_t bytes = 0;            // of one copy
  std::vector<std::string> examples;  // copies
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
  Duration took = Duration::zero();  // sum over all its responses
  std::uint64_t answered = 0;

  Duration mean() const {
    return answered == 0 ? Duration::zero() : took / static_cast<std::int64_t>(answered);
  }
};

// The crawl that the report is about.
struct Occasion {
  std::vector<std::string> roots;
  std::string version;  // of the program
  WallTime started = {};
  Duration took = Duration::zero();
  crawler::EndReason end = crawler::EndReason::finished;
};

// All faults of one kind that the audit found.
struct AuditRow {
  AuditRule rule = AuditRule::title_missing;
  Listing<AuditFinding> pages;         // the first ones
  std::vector<TemplateRow> templates;  // of all of them
};

struct LanguageRow {
  std::string language;  // "en", as detected, else as declared
  std::uint64_t pages = 0;
};

struct Report {
  Occasion occasion;
  crawler::Statistics totals;
  TakenTimes times;  // of responses
  OverTime over_time;
  std::vector<std::uint64_t> depths;  // pages by depth; the last one includes all deeper pages
  Listing<HostRow> hosts;             // most pages first; only hosts that fit
  std::uint64_t pages_of_other_hosts = 0;
  std::vector<CauseRow> causes;      // most frequent first
  Listing<BrokenRow> broken;         // most linked first
  Listing<ChainRow> chains;          // longest first
  Listing<DuplicateRow> duplicates;  // most copies first; only those that fit
  std::uint64_t copies_of_others = 0;
  Listing<DuplicateRow> similar;  // by main text; copies of bodies do not count
  std::uint64_t similar_to_others = 0;
  Listing<PageRow> slowest;
  Listing<PageRow> largest;
  Listing<PageRow> deepest;
  Listing<PageRow> orphans;            // listed by a sitemap, linked from nowhere
  std::vector<SkippedRow> skipped;     // most frequent first
  std::uint64_t audited = 0;           // pages with metadata; 0: there is no audit
  std::uint64_t unaudited = 0;         // of these, pages that did not fit
  std::vector<AuditRow> audit;         // only rules with faults, most frequent first
  std::vector<LanguageRow> languages;  // most frequent first
  std::uint64_t urls_forgotten = 0;    // did not fit: links may be missing
};

}  // namespace gossamer::report

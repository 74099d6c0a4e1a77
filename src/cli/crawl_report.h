#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/time.h"
#include "crawl/statistics.h"

namespace gossamer::cli {

// The exit codes that only crawls have: they ended early.
enum CrawlExitCode : int {
  kInterrupted = 11,
  kAborted = 13,
  kQuotaReached = 14,
  kTimeLimitReached = 15,
};

// Of one record: wget's code for its failure or its status.
int exit_code_for(const crawl::FetchRecord& record);
// Of the crawl; `records` is the worst of its records.
int exit_code_for(crawl::EndReason end, int records);

// What a crawl did, for people: several lines.
std::string crawl_report(const crawl::Statistics& statistics, crawl::EndReason end, Duration took);

// What is going on right now.
struct CrawlProgress {
  Duration since_start = Duration::zero();
  std::uint64_t pages = 0;
  std::uint64_t pages_per_second = 0;  // since the line before
  std::uint64_t wire_bytes = 0;
  std::size_t in_flight = 0;
  std::size_t waiting = 0;
  std::size_t hosts = 0;
};

// One line: "1,520 pages, 310/s, 14.2 MB, 64 in flight, 9,811 waiting on 12 hosts".
std::string to_text(const CrawlProgress& progress);

// "12,345".
std::string grouped(std::uint64_t number);
// "14.2 MB".
std::string byte_count(std::uint64_t bytes);

}  // namespace gossamer::cli

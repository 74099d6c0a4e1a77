// The contestant of archive_bench.cc.
#pragma once

#include <string>

#include "bench/crawl/site_pages.h"

namespace gossamer::bench {

// The cost of crawls, all pages together.
struct ArchivingCost {
  double pages = 0;
  double wall_us = 0;
  double loop_us = 0;     // CPU of the crawl's own thread
  double packing_us = 0;  // CPU of the threads that compress
  double process_us = 0;  // CPU of all threads, including the kernel's writers
  double archive_bytes = 0;
};

// Crawls the site repeatedly on any free core, into an archive in that folder, or without an
// archive if it is empty. Runs in its own process.
ArchivingCost crawl_and_archive(const PageLoad& load, const std::string& folder);

// Crawls the site once, and then only stores its pages, repeatedly, into archives in that folder.
// Counts the storing. Runs in its own process.
ArchivingCost archive_alone(const PageLoad& load, const std::string& folder);

}  // namespace gossamer::bench

// Who is measured in archive_bench.cc.
#pragma once

#include <string>

#include "bench/crawl/site_pages.h"

namespace gossamer::bench {

// What crawls took, all pages together.
struct ArchivingCost {
  double pages = 0;
  double wall_us = 0;
  double loop_us = 0;     // CPU of the crawl's own thread
  double packing_us = 0;  // CPU of the threads that compress
  double process_us = 0;  // CPU of all, also of the kernel's threads that write for it
  double archive_bytes = 0;
};

// Crawls the site again and again on any core that is free, into an archive in that folder, or into
// none if it is empty. Runs in a process of its own.
ArchivingCost crawl_and_archive(const PageLoad& load, const std::string& folder);

}  // namespace gossamer::bench

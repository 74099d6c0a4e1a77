// For tests: a small crawl of hand-written sites that must end with the same rows, whatever happens
// to its processes.
#pragma once

#include <tests/support/test_web.h>

#include <cstdint>

#include "settings/crawl_settings.h"
#include "store/tables.h"

namespace gossamer::sim {

struct JobStory {
  // Writes the sites, and returns the settings of each process.
  run::CrawlSettings (*begin)(crawler::TestWeb& web);
  // Checks the rows of the finished crawl.
  void (*expect)(const store::Tables& tables);
};

// One process crawls, on one loop and on three.
void expect_on_every_number_of_loops(const JobStory& story);
// The first process is killed before an operation on its disk, and later ones finish the crawl.
// That is repeated for every `step`-th operation.
void expect_after_kills(const JobStory& story, std::uint32_t loops, std::uint64_t step);

}  // namespace gossamer::sim

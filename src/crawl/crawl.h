// What the parts of a crawl need to know of its options.
#pragma once

#include "crawl/options.h"
#include "crawl/world.h"

namespace gossamer::crawler {

struct FrontierOptions;
FrontierOptions frontier_options(const Options& options, bool has_resolver);
// The same in this world, with a salt of its own.
FrontierOptions frontier_options(const Options& options, World& world);

}  // namespace gossamer::crawler

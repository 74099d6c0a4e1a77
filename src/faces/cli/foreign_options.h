#pragma once

#include <span>

#include "options/option.h"

namespace gossamer::cli {

// Options of wget, curl and HTTrack that users of `crawl` and `mirror` may type.
std::span<const options::ForeignOption> foreign_crawl_options();
// Options of lychee and linkchecker that users of `check` may type.
std::span<const options::ForeignOption> foreign_check_options();

}  // namespace gossamer::cli

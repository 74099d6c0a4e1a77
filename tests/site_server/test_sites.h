// Sites for tests.
#pragma once

#include <cstdint>

#include "site/site_options.h"

namespace gossamer::site {

// A small site: the amounts are drawn from the seed.
SiteOptions drawn_site(std::uint64_t seed);

enum class FaultLevel : std::uint8_t { none, some, many };

// Sets the shares of truncated and slow responses and of errors.
void set_faults(SiteOptions& options, FaultLevel level);

}  // namespace gossamer::site

#pragma once

#include <cstdint>

#include "base/random.h"
#include "base/time.h"
#include "http/client.h"
#include "net/resolver.h"

namespace gossamer::crawler {

// What a crawl needs of the world around it. All of it must outlive the crawl.
struct World {
  http::Client& client;
  // Where origins are, so that pauses can be kept per address. nullptr: somebody else looks names
  // up (a proxy), so this is not known.
  net::Resolver* resolver = nullptr;
  base::Random& random;
  // The time of day at an instant of the loop's clock. Steps of the machine's clock do not reach
  // the crawl.
  WallTime wall_start;
  Instant loop_start;

  WallTime wall(Instant at) const { return wall_start + (at - loop_start); }
};

}  // namespace gossamer::crawler

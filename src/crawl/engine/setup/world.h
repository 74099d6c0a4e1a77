#pragma once

#include <cstdint>

#include "base/random.h"
#include "base/time.h"
#include "http/client.h"
#include "net/resolver.h"
#include "record/body_file.h"
#include "render/renderer.h"

namespace gossamer::crawler {

// The environment of a crawl. It must outlive the crawl.
struct World {
  http::Client& client;
  // Resolves names, so that pauses can apply per address. nullptr: a proxy resolves names, so
  // addresses are unknown.
  net::Resolver* resolver = nullptr;
  base::Random& random;
  // The time of day at an instant of the loop's clock. Changes of the machine's clock do not affect
  // the crawl.
  WallTime wall_start;
  Instant loop_start;
  // Takes captured bodies that are too large for memory. nullptr: all must fit into memory.
  BodyFiles* bodies = nullptr;
  // Renders pages (Settings::renders). nullptr: none is rendered.
  render::Renderer* renderer = nullptr;

  WallTime wall(Instant at) const { return wall_start + (at - loop_start); }
};

}  // namespace gossamer::crawler

#pragma once

#include <cstdint>

namespace gossamer::cluster {

// In a crawl that goes level by level, only URLs of one depth are leased at a time: the level. This
// is the change to another one. Steps are numbered from 1; the level before the first is 0.
struct LevelStep {
  std::uint64_t number = 0;
  std::uint16_t depth = 0;
};

}  // namespace gossamer::cluster

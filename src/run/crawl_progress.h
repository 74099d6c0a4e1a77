#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"

namespace gossamer::run {

// What is going on in a crawl right now.
struct CrawlProgress {
  struct SlowHost {
    std::string host;
    Duration took;
  };

  Duration since_start = Duration::zero();
  std::uint64_t pages = 0;
  std::uint64_t pages_per_second = 0;  // of late
  std::uint64_t wire_bytes = 0;
  std::size_t in_flight = 0;
  std::size_t waiting = 0;
  std::size_t hosts = 0;
  std::map<std::string, std::uint64_t, std::less<>> errors;  // by cause
  std::vector<SlowHost> slowest;                             // the slowest first
  std::vector<crawler::HostPause> pauses;  // hosts that make us wait, the longest first
  Instant now = {};
  bool is_paused = false;
  // How many pages it will be in all, if that is known, or how many are known so far.
  std::optional<std::uint64_t> pages_in_all;

  // What another loop of the same crawl is doing.
  void add(const CrawlProgress& other);
};

// What an engine is doing, as far as it knows.
CrawlProgress progress_of(const crawler::Engine& engine, const crawler::Frontier& frontier);

}  // namespace gossamer::run

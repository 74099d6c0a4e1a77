#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/engine.h"
#include "frontier/frontier.h"
#include "record/outcome.h"

namespace gossamer::run {

// The current state of a crawl.
struct CrawlProgress {
  struct SlowHost {
    std::string host;
    Duration took;
  };

  Duration since_start = Duration::zero();
  std::uint64_t pages = 0;
  std::uint64_t pages_per_second = 0;  // recently
  std::uint64_t wire_bytes = 0;
  std::size_t in_flight = 0;
  std::size_t waiting = 0;
  std::size_t hosts = 0;
  std::size_t connections = 0;        // open, also idle ones
  std::size_t http2_connections = 0;  // of these
  std::size_t streams = 0;            // exchanges in flight on HTTP/2 connections
  std::map<std::string, std::uint64_t, std::less<>> errors;  // by cause
  std::array<std::uint64_t, crawler::kOutcomes> outcomes = {};
  std::map<int, std::uint64_t> by_status;
  std::vector<SlowHost> slowest;             // the slowest first
  std::vector<crawler::HostPause> pauses;    // paused hosts, the longest pause first
  std::vector<crawler::FailedUrl> failures;  // the last ones, the newest first
  Instant now = {};
  bool is_paused = false;
  // The total number of pages, or of those known so far, if there is one.
  std::optional<std::uint64_t> pages_in_all;

  // Adds the state of another loop of the same crawl.
  void add(const CrawlProgress& other);
};

// Returns the state of one engine.
CrawlProgress progress_of(const crawler::Engine& engine, const crawler::Frontier& frontier);

}  // namespace gossamer::run

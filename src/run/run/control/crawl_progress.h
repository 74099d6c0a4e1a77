#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "record/outcome.h"

namespace gossamer::crawler {
class Engine;
class Frontier;
}  // namespace gossamer::crawler

namespace gossamer::run {

// The current state of a crawl, for its displays, its control socket and its metrics.
struct CrawlProgress {
  // A host that is paused.
  struct Pause {
    std::string host;
    Duration left = Duration::zero();
    bool is_silent = false;    // it does not answer
    bool is_refusing = false;  // it refuses requests and did not say for how long; else it did
  };
  // A URL whose outcome is an error.
  struct Failure {
    std::string url;
    std::string cause;  // "timed_out", "404"
    std::string detail;
    std::string via;  // the page with the link
    Duration age = Duration::zero();
  };
  struct SlowHost {
    std::string host;
    Duration took;
  };

  std::string state = "running";  // or "paused", "stopping"
  std::string version;            // this and the next two are known to the control socket
  std::uint64_t process = 0;
  std::string job;  // its crawl directory, as the user named it; empty: none
  Duration since_start = Duration::zero();
  std::uint64_t pages = 0;
  std::uint64_t pages_per_second = 0;  // recently; only displays know it
  std::uint64_t wire_bytes = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t waiting = 0;
  std::uint64_t hosts = 0;
  std::uint64_t connections = 0;        // open, also idle ones
  std::uint64_t http2_connections = 0;  // of these
  std::uint64_t streams = 0;            // exchanges in flight on HTTP/2 connections
  std::uint64_t concurrency = 0;
  std::uint64_t threads = 1;
  std::optional<Duration> global_gap;  // empty: no limit
  std::optional<Duration> delay;       // empty: from response times
  // The total number of pages, or of those known so far, if there is one.
  std::optional<std::uint64_t> pages_in_all;
  std::map<std::string, std::uint64_t, std::less<>> errors;  // by cause
  std::array<std::uint64_t, crawler::kOutcomes> outcomes = {};
  std::map<int, std::uint64_t> by_status;
  std::vector<SlowHost> slowest;  // the slowest first; only displays know them
  std::vector<Pause> pauses;      // the longest first; not all if there are many
  std::vector<Failure> failures;  // the last ones, the newest first

  bool is_paused() const { return state == "paused"; }
  // Adds the state of another loop of the same crawl.
  void add(const CrawlProgress& other);
};

// Returns the state of one engine.
CrawlProgress progress_of(const crawler::Engine& engine, const crawler::Frontier& frontier);

}  // namespace gossamer::run

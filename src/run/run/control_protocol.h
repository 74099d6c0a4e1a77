// The protocol between a crawl and `gossamer top`: requests and replies, one JSON object per line
// (docs/control.md). It converts text; it does no I/O.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "record/outcome.h"

namespace gossamer::run {

// BOUND: the size of one request.
inline constexpr std::size_t kRequestBytesMax = 16 * 1024;
// BOUND: fetches in one reply.
inline constexpr std::uint32_t kFetchesMax = 1000;
inline constexpr std::uint32_t kConcurrencyMax = 100'000;

struct ControlRequest {
  enum class Kind : std::uint8_t {
    status,
    fetches,
    pause,
    resume,
    rate,
    delay,
    concurrency,
    add,
    block,
    unblock,
    exclude,
    unexclude,
    stop,
    abort,
  };

  Kind kind = Kind::status;
  std::string text = {};     // the URL of add, the host of (un)block, the pattern of (un)exclude
  std::uint32_t number = 0;  // the concurrency, or the limit of fetches
  std::optional<Duration> time =
      {};  // the gap of rate (empty: none) or the delay (empty: automatic)

  friend bool operator==(const ControlRequest&, const ControlRequest&) = default;
};

// "pause", ...
std::string_view name(ControlRequest::Kind kind) noexcept;

// Both fail with Errc::malformed or Errc::invalid_argument, with a detail for the user.
Result<ControlRequest> parse_control_request(std::string_view line);
// Reads the words of a command line: {"rate", "5/s"}. REQUIRES: there is a word.
Result<ControlRequest> control_request_of(const std::vector<std::string>& words);
std::string to_json(const ControlRequest& request);

// The reply to `status`.
struct CrawlStatus {
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

  std::string state = "running";  // or "paused", "stopping"
  std::string version;
  std::uint64_t process = 0;
  std::string job;  // its crawl directory, as the user named it; empty: none
  Duration since_start = Duration::zero();
  std::uint64_t pages = 0;
  std::uint64_t wire_bytes = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t waiting = 0;
  std::uint64_t hosts = 0;
  std::uint64_t connections = 0;  // open, also idle ones
  std::uint64_t http2_connections = 0;
  std::uint64_t streams = 0;  // of the HTTP/2 connections
  std::uint64_t concurrency = 0;
  std::uint64_t threads = 1;
  std::optional<Duration> global_gap;  // empty: no limit
  std::optional<Duration> delay;       // empty: from response times
  std::optional<std::uint64_t> pages_in_all;
  std::map<std::string, std::uint64_t, std::less<>> errors;  // by cause
  std::array<std::uint64_t, crawler::kOutcomes> outcomes = {};
  std::map<int, std::uint64_t> by_status;
  std::vector<Pause> pauses;      // the longest first; not all if there are many
  std::vector<Failure> failures;  // the last ones, the newest first
};

// One line of the reply to `fetches`.
struct FetchLine {
  std::string url;
  std::string host;
  std::string stage;
  Duration age = Duration::zero();
  std::uint64_t bytes = 0;
  std::uint64_t tries = 1;
  std::uint64_t loop = 0;
  std::vector<std::string> stack;  // innermost first
};

struct FetchList {
  std::uint64_t total = 0;  // in flight; `fetches` has the oldest, oldest first
  std::vector<FetchLine> fetches;
};

// Replies, without their line feed.
std::string to_json(const CrawlStatus& status);
std::string to_json(const FetchList& list);
std::string done_reply(std::string_view what);
std::string error_reply(std::string_view why);

// Reads a reply and returns its `done` text. Fails with Errc::malformed if it is not a reply, and
// with Errc::denied and the crawl's message if it reports a failure.
Result<std::string> parse_reply(std::string_view line);
Result<CrawlStatus> parse_status(std::string_view line);
Result<FetchList> parse_fetches(std::string_view line);

// "5/s", "30/min", "none"; "2 s", "auto".
std::string rate_text(const std::optional<Duration>& gap);
std::string delay_text(const std::optional<Duration>& delay);

}  // namespace gossamer::run

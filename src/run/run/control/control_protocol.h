// The protocol between a crawl and `gossamer top`: requests and replies, one JSON object per line
// (docs/control.md). It converts text; it does no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "run/control/crawl_progress.h"
#include "settings/limits.h"

namespace gossamer::run {

// BOUND: the size of one request.
inline constexpr std::size_t kRequestBytesMax = 16 * 1024;
// BOUND: fetches in one reply.
inline constexpr std::uint32_t kFetchesMax = 1000;

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

// Replies, without their line feed. The progress is the reply to `status`.
std::string to_json(const CrawlProgress& status);
std::string to_json(const FetchList& list);
std::string done_reply(std::string_view what);
std::string error_reply(std::string_view why);

// Reads a reply and returns its `done` text. Fails with Errc::malformed if it is not a reply, and
// with Errc::denied and the crawl's message if it reports a failure.
Result<std::string> parse_reply(std::string_view line);
Result<CrawlProgress> parse_status(std::string_view line);
Result<FetchList> parse_fetches(std::string_view line);

// "5/s", "30/min", "none"; "2 s", "auto".
std::string rate_text(const std::optional<Duration>& gap);
std::string delay_text(const std::optional<Duration>& delay);

}  // namespace gossamer::run

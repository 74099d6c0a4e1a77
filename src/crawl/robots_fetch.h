#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/time.h"
#include "crawl/page/capture.h"
#include "http/client.h"
#include "robots/robots.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

struct RobotsFetchOptions {
  std::string agent = "gossamer";  // our product token
  // RFC 9309 2.5: at least 500 KiB. The rest is not read.
  std::size_t bytes_max = 512'000;
  std::uint32_t redirects_max = 5;
  // Returns the exchanges, for archives.
  bool keeps_captures = false;
};

// The result of fetching robots.txt (RFC 9309 2.3.1).
struct RobotsAnswer {
  enum class Kind : std::uint8_t {
    rules,        // 2xx: the rules. 4xx and too many redirects: no rules, everything is allowed
    unreachable,  // 5xx and 429: nothing may be fetched for now
    failed,       // no response, see `failure`; nothing may be fetched for now
  };

  Kind kind = Kind::rules;
  robots::Robots robots;
  std::string source = {};  // the text of the rules
  std::optional<int> status;
  std::optional<Error> failure;
  std::optional<Duration> retry_after;
  // One for every response. Empty unless exchanges are kept.
  std::vector<Exchange> exchanges;
};

// Fetches the robots.txt of an origin ("https://example.com"). BORROWS: client, decoder, options.
async::Task<RobotsAnswer> fetch_robots(http::Client& client, wire::WholeDecoder& decoder,
                                       std::string origin, const RobotsFetchOptions& options,
                                       WallTime now);

// Returns the target of a redirect; empty if it is not one. Fails with Errc::malformed if it has no
// target or several.
Result<std::optional<url::Url>> redirect_target(const url::Url& from, const http::Response& answer);

}  // namespace gossamer::crawler

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
  // RFC 9309 2.5: at least 500 KiB. What is beyond is not read.
  std::size_t bytes_max = 512'000;
  std::uint32_t redirects_max = 5;
  // Hands over the exchanges as archives keep them.
  bool keeps_captures = false;
};

// What an attempt to get robots.txt led to (RFC 9309 2.3.1).
struct RobotsAnswer {
  enum class Kind : std::uint8_t {
    rules,        // 2xx: they are here. 4xx and too many redirects: there are none, all is allowed
    unreachable,  // 5xx and 429: nothing may be asked for, for now
    failed,       // no answer, see `failure`; the same holds
  };

  Kind kind = Kind::rules;
  robots::Robots robots;
  std::string source = {};  // what they were read from
  std::optional<int> status;
  std::optional<Error> failure;
  std::optional<Duration> retry_after;
  // One for every answer on the way. Empty unless they are kept.
  std::vector<Exchange> exchanges;
};

// Fetches the robots.txt of an origin ("https://example.com"). BORROWS: client, decoder, options.
async::Task<RobotsAnswer> fetch_robots(http::Client& client, wire::WholeDecoder& decoder,
                                       std::string origin, const RobotsFetchOptions& options,
                                       WallTime now);

// Where a response redirects to; nothing if it does not. Fails with Errc::malformed if it does, but
// says no place or several.
Result<std::optional<url::Url>> redirect_target(const url::Url& from, const http::Response& answer);

}  // namespace gossamer::crawler

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/time.h"
#include "engine/page/body_memory.h"
#include "engine/setup/options.h"
#include "http/client.h"
#include "record/capture.h"
#include "robots/robots.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

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
  // One for every response. Empty without Settings::keeps_captures.
  std::vector<Exchange> exchanges;
};

// Fetches the robots.txt of an origin ("https://example.com"). `memory` has room for the body,
// the rules and the exchanges, and waits for it. BOUND: 512 KB, 5 redirects.
// BORROWS: client, decoder, memory, settings.
async::Task<RobotsAnswer> fetch_robots(http::Client& client, wire::WholeDecoder& decoder,
                                       BodyMemory::Share& memory, std::string origin,
                                       const Settings& settings, WallTime now);

}  // namespace gossamer::crawler

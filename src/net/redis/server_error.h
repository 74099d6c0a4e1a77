// The errors of Redis servers and what a client does about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "redis/server_url.h"

namespace gossamer::redis {

// What an error means for the command that got it.
struct Advice {
  enum class Action : std::uint8_t {
    report,     // the caller decides
    follow,     // MOVED: send it to `node`, which owns the slot from now on
    ask,        // ASK: send it to `node` once, after ASKING
    try_later,  // the server or the cluster is not ready, or the slot moves
    refresh,    // the server is not the owner, or is cut off; the map of another may say who is
  };

  Action action = Action::report;
  std::uint16_t slot = 0;
  std::optional<Node> node;
};

// Reads the message of an error. `sender` is the server that sent it: a redirection without a host
// leads to the same host.
Advice advice_for(std::string_view message, const Node& sender);

// Returns an error of our vocabulary: Errc::denied (NOAUTH, NOPERM, WRONGPASS), Errc::no_space
// (OOM), Errc::unavailable (LOADING, CLUSTERDOWN, FROZEN, a missing function, ...), Errc::not_found
// (GONE, an unknown command), otherwise Errc::internal.
Error error_of(std::string_view message, const Node& sender);

// Returns whether the server does not have a function. A master can lack it for a while: functions
// are replicated asynchronously, and a new server has none.
bool is_missing_function(std::string_view message) noexcept;

}  // namespace gossamer::redis

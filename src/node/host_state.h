#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "crawl/frontier/politeness.h"
#include "crawl/frontier/stored_count.h"
#include "wire/cookie.h"

namespace gossamer::node {

// What the next holder of a host must know.
struct HostState {
  struct Rules {
    std::string origin;
    std::string source;  // of robots.txt
    WallTime good_until;

    friend bool operator==(const Rules&, const Rules&) = default;
  };

  // Without `ready_at`: Redis does not lease the host before its pause is over.
  crawler::PaceMemory pace;
  std::vector<crawler::StoredCount> counts;
  std::vector<wire::Cookie> cookies;
  std::vector<Rules> rules;
};

// BOUND: a written state. What does not fit is left out: first rules, which are fetched again, then
// cookies, then the lowest counts.
inline constexpr std::size_t kStateBytesMax = std::size_t{64} * 1024;

std::string pack_state(const HostState& state);
// Empty: it is malformed or of another version.
std::optional<HostState> unpack_state(std::string_view text);

}  // namespace gossamer::node

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "frontier/politeness.h"
#include "scope/stored_count.h"
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
  // The nodes that released it because neither it nor another host answered them, as numbers.
  std::vector<std::uint64_t> unheard_by;  // BOUND: kUnheardMax
  // These change rarely.
  std::vector<wire::Cookie> cookies;
  std::vector<Rules> rules;

  // Replaces the rules of the origin. Long ones are left out.
  void put_rules(Rules found);
  // nullptr: unknown.
  const Rules* rules_of(std::string_view origin) const;
};

inline constexpr std::size_t kUnheardMax = 3;

// BOUND: each of the two parts of a written state. What does not fit is left out: the lowest
// counts; rules, which are fetched again; cookies.
inline constexpr std::size_t kStateBytesMax = std::size_t{32} * 1024;

// The part that changes with every page: without cookies and rules.
std::string pack_state(const HostState& state);
// Empty: it is malformed or of another version.
std::optional<HostState> unpack_state(std::string_view text);

// The other part: cookies and rules. Reading it adds them to the state, if it is well-formed.
std::string pack_kept(const HostState& state);
void unpack_kept(std::string_view text, HostState& state);

}  // namespace gossamer::node

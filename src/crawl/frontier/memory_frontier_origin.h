// For the sources of MemoryFrontier alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "crawl/frontier/memory_frontier.h"

namespace gossamer::crawler {

// What an origin takes, its host and the heads of its queue included, wherever that is: here, in
// the backlog, in the cache of addresses. Measured: 1.5 KB.
inline constexpr std::size_t kOriginBytes = 1400;

// Its place is at most one of: ready_, the loop's timers, blocked_by_level_.
struct MemoryFrontier::Origin final : public async::ListNode<Origin>, public async::Timer {
  Origin(MemoryFrontier& owner, std::string text, Host& at) noexcept
      : frontier(owner), name(std::move(text)), host(at) {}

  void fire() noexcept override { frontier.wake(*this); }

  MemoryFrontier& frontier;
  const std::string name;  // "https://example.com:8443"
  Host& host;
  std::optional<async::Endpoint> address;  // without its port
  TargetQueue queue;
  std::size_t on_disk = 0;  // of those that wait, not in the queue but in the backlog
  std::unique_ptr<OriginRules> rules;
  std::unique_ptr<OriginEnd> end;
  Stage stage = Stage::unresolved;
  Duration crawl_delay = Duration::zero();
  std::size_t bytes = 0;      // of memory, about
  std::uint8_t tries = 0;     // to resolve it, or to fetch its robots.txt
  bool is_preparing = false;  // somebody resolves it or fetches its robots.txt
  bool is_ready = false;      // in ready_
  bool is_blocked = false;    // in blocked_by_level_
  bool is_probed = false;     // robots.txt is fetched before the next page
  bool has_answered = false;  // in this process
};

}  // namespace gossamer::crawler

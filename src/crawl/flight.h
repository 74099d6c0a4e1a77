#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "async/intrusive_list.h"
#include "async/routine.h"
#include "base/time.h"
#include "crawl/frontier.h"

namespace gossamer::crawl {

// A piece of work in the hands of a worker, as the engine can look it up while it is under way.
struct Flight : public async::ListNode<Flight> {
  // BORROWS: both, while it stands in a list.
  Flight(const Claim& held, const async::Routine& worker) noexcept : claim(held), task(worker) {}

  const Claim& claim;
  const async::Routine& task;
};

// What is known of a flight, for people.
struct FlightFacts {
  std::string_view stage;  // "resolving", "robots", "connecting", ... "reading", "storing"
  std::string url;         // of a page; of other work: the origin
  std::string host;
  Duration age = Duration::zero();
  std::uint64_t bytes = 0;  // of the body, so far
  std::uint32_t tries = 0;  // so far, this one included
  std::string stack;        // of awaits, innermost first, a line each
};

// REQUIRES: the flight's claim is held.
FlightFacts describe(const Flight& flight, Instant now);

}  // namespace gossamer::crawl

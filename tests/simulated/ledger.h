#pragma once

#include <cstdint>
#include <string>

namespace gossamer::sim {

// Where the bytes of one direction (or the sum of many) went. Every byte that was sent is in
// exactly one of the other counters.
struct Ledger {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t lost_in_reset = 0;
  std::uint64_t swallowed = 0;  // by a connection that went silent
  std::uint64_t unread = 0;     // the receiver closed without reading them
  std::uint64_t in_flight = 0;  // in transit, or arrived and not yet read

  bool balanced() const {
    return sent == received + lost_in_reset + swallowed + unread + in_flight;
  }
  Ledger& operator+=(const Ledger& other);
  friend bool operator==(const Ledger&, const Ledger&) = default;
};

// One line.
std::string describe(const Ledger& ledger);

}  // namespace gossamer::sim
